package shim

// A Preset is what one command needs besides the project.
type Preset struct {
	Name   string // the key of its table in the configuration: [commands.npm]
	Caches []CacheDir
}

// PresetFor returns the preset of a command, which may be a path such as
// .venv/bin/python. Without a preset of its own a command (make, bash) gets
// every package cache, since it may call any of the others; then ok is false.
func PresetFor(command string) (preset Preset, ok bool) {
	if name := presetName(base(command)); name != "" {
		return Preset{Name: name, Caches: Caches(name)}, true
	}
	return Preset{Caches: packageCaches()}, false
}

// presetName is the family of a command's base name.
func presetName(name string) string {
	switch name {
	case "python3", "python":
		return "python3"
	case "npm", "npx", "node", "nodejs", "corepack", "yarn", "yarnpkg":
		return "npm"
	case "pnpm", "pnpx":
		return "pnpm"
	case "pip", "pip3":
		return "pip"
	case "uv", "uvx":
		return "uv"
	case "cargo", "rustc", "rustdoc":
		return "cargo"
	case "bun", "bunx":
		return "bun"
	case "deno", "poetry", "go", "pipx":
		return name
	}
	switch {
	case !Versioned(name):
		return ""
	case name[:2] == "pi":
		return "pip"
	}
	return "python3"
}

// Caches returns the caches of a preset by its name, and nothing for a name that is
// none.
func Caches(preset string) []CacheDir {
	switch preset {
	case "bun":
		return pick("bun")
	case "cargo":
		// Never ~/.cargo itself: it holds credentials, and bin/ is on PATH.
		return pick("cargo-git", "cargo-lock", "cargo-registry")
	case "deno":
		return pick("deno")
	case "go":
		return pick("go-build", "go-mod")
	case "npm":
		return pick("node", "node-gyp", "npm", "pnpm", "yarn", "yarn-berry")
	case "pip":
		return pick("pip")
	case "pnpm":
		return pick("npm", "pnpm", "pnpm-store")
	case "poetry":
		return pick("poetry")
	case "python3":
		return pick("huggingface", "pip", "torch") // pip's for python3 -m pip
	case "uv":
		return pick("uv")
	}
	return nil
}

// pick returns the caches of these names; both lists are sorted.
func pick(names ...string) []CacheDir {
	picked := make([]CacheDir, 0, len(names))
	for _, c := range caches() {
		if len(names) > 0 && c.Name == names[0] {
			picked, names = append(picked, c), names[1:]
		}
	}
	return picked
}

// packageCaches is every cache that holds packages.
func packageCaches() []CacheDir {
	all := caches()
	picked := make([]CacheDir, 0, len(all))
	for _, c := range all {
		if c.Kind == Package {
			picked = append(picked, c)
		}
	}
	return picked
}
