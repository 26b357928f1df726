package main

import "golang.org/x/sys/unix"

const keyName = "probe"

// plantKey runs a command in a session keyring with a key in it, as a login does.
func plantKey(args []string) (string, error) {
	if _, err := unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0); err != nil {
		return "", err
	}
	if _, err := unix.AddKey("user", keyName, []byte(args[0]), unix.KEY_SPEC_SESSION_KEYRING); err != nil {
		return "", err
	}
	return "", execute(args[1:])
}

func readKey([]string) (string, error) {
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_SESSION_KEYRING, "user", keyName, 0)
	if err != nil {
		return "", err
	}
	b := make([]byte, 256)
	n, err := unix.KeyctlBuffer(unix.KEYCTL_READ, id, b, 0)
	if err != nil {
		return "", err
	}
	return string(b[:n]), nil
}
