package trace

import "golang.org/x/sys/unix"

// A call says where the arguments of a system call are. -1 is nowhere.
type call struct {
	number  uint32
	dir     int  // the directory that a relative path counts from; nowhere: the working directory
	path    int  // the path
	flags   int  // the flags of open(2)
	how     bool // which lie behind a pointer
	address int  // an address of connect(2), its length behind it
	data    int  // bytes to send, their length behind them
	many    int  // an array of struct mmsghdr, their number behind it
}

const nowhere = -1

// calls are those that are listened to. sendmsg is not among them: by it the child
// sends the launcher what it listens with. Libraries ask for names by the others.
func calls() []call {
	at := func(nr uint32) call {
		return call{number: nr, dir: 0, path: 1, flags: nowhere, address: nowhere, data: nowhere, many: nowhere}
	}
	with := func(c call, change func(*call)) call { change(&c); return c }
	plain := func(nr uint32) call { return with(at(nr), func(c *call) { c.dir, c.path = nowhere, 0 }) }
	other := func(nr uint32, change func(*call)) call {
		return with(plain(nr), func(c *call) { c.path = nowhere; change(c) })
	}
	all := []call{
		with(at(unix.SYS_OPENAT), func(c *call) { c.flags = 2 }),
		with(at(unix.SYS_OPENAT2), func(c *call) { c.flags, c.how = 2, true }),
		at(unix.SYS_NEWFSTATAT), at(unix.SYS_STATX), at(unix.SYS_FACCESSAT), at(unix.SYS_FACCESSAT2),
		at(unix.SYS_READLINKAT), at(unix.SYS_EXECVEAT),
		plain(unix.SYS_EXECVE), plain(unix.SYS_CHDIR),
		other(unix.SYS_CONNECT, func(c *call) { c.address = 1 }),
		other(unix.SYS_SENDTO, func(c *call) { c.data, c.address = 1, 4 }),
		other(unix.SYS_SENDMMSG, func(c *call) { c.many = 1 }),
	}
	for _, nr := range oldCalls() {
		c := plain(nr.number)
		if nr.flags > 0 {
			c.flags = nr.flags
		}
		all = append(all, c)
	}
	return all
}

// An oldCall takes a path and nothing to count it from.
type oldCall struct {
	number uint32
	flags  int
}
