package escape

import (
	"bytes"
	"context"
	"os/exec"
	"sync"
	"time"

	"github.com/creack/pty"
)

// onTerminal runs cmd at a terminal of its own and returns what appeared on it.
func (t *trial) onTerminal(ctx context.Context, cmd *exec.Cmd) (string, error) {
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 200})
	if err != nil {
		return "", err
	}
	var mu sync.Mutex
	var all bytes.Buffer
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		b := make([]byte, 4096)
		for {
			n, err := tty.Read(b)
			mu.Lock()
			all.Write(b[:n])
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.status = wait(ctx, cmd)
	// The end of output comes when nobody has the terminal open any more, which a
	// process that was left behind may have for ever.
	select {
	case <-closed:
	case <-time.After(300 * time.Millisecond):
	}
	tty.Close()
	mu.Lock()
	defer mu.Unlock()
	return all.String(), nil
}
