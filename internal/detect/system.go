package detect

// systemDirs are the directories of the host that every jail shows, read-only.
var systemDirs = [...]string{
	"/bin", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/libx32",
	"/nix", "/opt", "/sbin", "/snap", "/sys", "/usr",
}

// IsSystem reports whether path lies in a directory that every jail shows.
func IsSystem(path string) bool { return withinAny(path, systemDirs[:]) }
