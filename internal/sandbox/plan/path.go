package plan

// Below reports whether path is dir or lies below it. Both are clean and
// absolute. It compares whole components: /x/proj-evil is not below /x/proj.
func Below(path, dir string) bool {
	if dir == "/" {
		return true
	}
	n := len(dir)
	return len(path) >= n && path[:n] == dir && (len(path) == n || path[n] == '/')
}
