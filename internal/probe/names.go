package main

// ways are the probes of the rows of package escape: each tries what a row is about
// in every way there is.
func ways() []probe {
	return []probe{
		{"escape", "[ARG...]", "try every way out of a sandbox: -help lists the options", tryEscapes},
		{"row", "ID NAME=VALUE...", "be the attack of one row", row},
		{"connect", "KIND:ADDRESS", "connect and print what is said: tcp, udp, mptcp, unix, abstract", connect},
		{"resolve", "NAME SERVER", "ask a name server; an empty one is the system's", resolve},
		{"ask-proxy", "PROXY ADDRESS", "have a proxy connect", askProxy},
		{"post", "ADDRESS TEXT", "send a text", post},
		{"take", "", "take the file out of the socket that hand left", take},
		{"read-fd", "", "read from the descriptor that connected left", readFD},
		{"mounts", "DIR", "mount something, in any way", mounts},
		{"uncover", "PATH", "read what a mount covers, in any way", uncover},
		{"remount", "MOUNT PATH", "make a mount writable and write to a file on it", remount},
		{"as-root", "COMMAND...", "run COMMAND as root of a user namespace", asRoot},
		{"by-handle", "HANDLE DIR", "read a file of DIR's file system by its handle", byHandle},
		{"set-id", "PATH", "make set-id files, in any way", setID},
		{"device-node", "PATH", "make device nodes", deviceNode},
		{"attribute", "PATH NAME VALUE", "set an extended attribute", setAttribute},
		{"steal", "PID", "read a file that a process has open as descriptor 0", steal},
		{"poke", "PID", "write to a process's memory", poke},
		{"shm-read", "NUMBER", "read shared memory", readMemory},
		{"families", "", "make sockets of the families that nobody needs", families},
		{"threads", "", "make a refused call in many threads", threads},
		{"io-uring", "", "set up a ring of requests", ring},
		{"clone3", "", "make a user namespace by clone3", clone3},
		{"x32", "", "make a call by its number for 32-bit pointers", x32},
		{"ia32", "", "make a call by the gate for 32-bit programs", ia32},
		{"notifications", "", "make a pipe that kernel events come through", notifications},
		{"open-write", "PATH", "open a file for writing and write nothing", openForWriting},
		{"open-read", "PATH", "open a file", openForReading},
		{"hostname", "", "set the name of the machine to what it is", hostname},
		{"roomy", "DIR", "ask whether a file system may grow beyond the memory", roomy},
		{"bomb", "COUNT", "have COUNT processes at once", bomb},
	}
}

// hosts are the probes of the rows that run on the host.
func hosts() []probe {
	return []probe{
		{"escape-inside", "", "what escape runs apart from this machine", escapeInside},
		{"company", "", "be a process by the name of a kernel thread", company},
		{"serve", "READY WORDFILE KIND:ADDRESS...", "tell a word to whoever connects", serve},
		{"connected", "ADDRESS COMMAND...", "run COMMAND with a connection open", connected},
		{"hand", "FILE COMMAND...", "run COMMAND with a socket in which an open FILE waits", hand},
		{"handle-of", "PATH", "print a file's handle", handleOf},
		{"shm-plant", "FILE", "put a file's text into shared memory", plantMemory},
		{"watch", "LOG READY", "make a terminal and log what appears on it", watch},
		{"pending", "", "print what waits in the terminal's input", pending},
		{"cooked", "", "ask whether the terminal is as a person wants it", cooked},
		{"running", "WORD", "look for a process with that argument", running},
		{"state", "PID", "print the state of a process", state},
	}
}
