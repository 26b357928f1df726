package settings

// writeTOML writes a table so that what reads it back gets the same: of each
// table first the values, then the tables below it. Tables in arrays are written
// on one line.
func writeTOML(n node) []byte { return appendTables(nil, n, nil) }

// appendTables writes a table whose header stands already, and those below it.
func appendTables(b []byte, n node, head []byte) []byte {
	for i, name := range n.names {
		if n.items[i].shape != table {
			b = append(appendKey(b, name), " = "...)
			b = append(appendValue(b, n.items[i]), '\n')
		}
	}
	for i, name := range n.names {
		item := n.items[i]
		if item.shape != table {
			continue
		}
		below := appendKey(head[:len(head):len(head)], name)
		if hasValue(item) {
			b = append(append(append(b, '['), below...), "]\n"...)
		}
		b = appendTables(b, item, append(below, '.'))
	}
	return b
}

// hasValue reports whether a table needs a header of its own.
func hasValue(n node) bool {
	for _, item := range n.items {
		if item.shape != table {
			return true
		}
	}
	return false
}

func appendValue(b []byte, n node) []byte {
	switch n.shape {
	case array:
		b = append(b, '[')
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendValue(b, item)
		}
		return append(b, ']')
	case table:
		b = append(b, '{')
		for i, name := range n.names {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendValue(append(appendKey(b, name), " = "...), n.items[i])
		}
		return append(b, '}')
	}
	if n.bare {
		return append(b, n.text...)
	}
	return appendQuoted(b, n.text)
}

func appendKey(b []byte, name string) []byte {
	if isBareKey(name) {
		return append(b, name...)
	}
	return appendQuoted(b, name)
}

func isBareKey(s string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) && s[i] != '-' && s[i] != '_' {
			return false
		}
	}
	return s != ""
}
