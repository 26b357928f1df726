package settings

// miseKeys is what mise's config.toml may say inside: which version of what runs. Its
// variables, tasks and hooks stay outside, where tokens and commands are.
var miseKeys = [...]row{
	{key: "settings.auto_install", kind: flag},
	{key: "settings.disable_backends", kind: list},
	{key: "settings.disable_tools", kind: list},
	{key: "settings.experimental", kind: flag},
	{key: "settings.idiomatic_version_file", kind: flag},
	{key: "settings.idiomatic_version_file_enable_tools", kind: list},
	{key: "settings.legacy_version_file", kind: flag},
	{key: "settings.not_found_auto_install", kind: flag},
	{key: "settings.python.compile", kind: flag},
	{key: "settings.quiet", kind: flag},
	{key: "settings.yes", kind: flag},
	{key: "tools.*", kind: version},
	{key: "tools.*.exe", kind: word},
	{key: "tools.*.os", kind: list},
	{key: "tools.*.version", kind: version},
}
