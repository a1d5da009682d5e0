package cli

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"

	"baton/backend/link"
)

// mcp joins an agent's stdin and stdout to the host. It holds no state, so a
// client's messages reach the host as they are.
func mcp(o options) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	c, err := o.attach(ctx, o.greeting(link.MCP, ""))
	cancel()
	if err != nil {
		return err
	}
	defer c.Close()
	if o.window {
		openWindow(o)
	}
	go func() {
		_, _ = io.Copy(c, os.Stdin)
		// The client has left: the host is told, and its last answers still come.
		if u, ok := c.Conn.(*net.UnixConn); ok {
			_ = u.CloseWrite()
		}
	}()
	_, err = io.Copy(os.Stdout, c.R)
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// openWindow opens Baton's window beside this program, if it is there.
func openWindow(o options) {
	p, err := windowProgram()
	if err != nil {
		return
	}
	cmd := exec.Command(p, "--data-dir", o.data)
	detach(cmd)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}

var errNoWindow = errors.New("this build has no window program (baton-window): build it with `go tool task build`, or use `baton serve` and a browser")

// windowProgram finds baton-window beside this program.
func windowProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	p := filepath.Join(filepath.Dir(self), "baton-window"+filepath.Ext(self))
	if st, err := os.Stat(p); err != nil || !st.Mode().IsRegular() {
		return "", errNoWindow
	}
	return p, nil
}
