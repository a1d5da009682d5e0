package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"baton/backend/link"
	"baton/backend/paths"
)

// mcp joins an agent's stdin and stdout to the host.
func mcp(o options) error {
	b := newBridge(o.dialer(), os.Stdout, os.Stderr)
	b.structured, b.gateway = o.structured, o.tools == "gateway"
	_ = b.begin() // what failed is told to initialize
	if o.window {
		openWindow(o) // it starts a host too
	}
	return b.run(os.Stdin)
}

// dialer gives what connects an agent to the host, started when none runs and
// start is set. listed says that the agent has the whole list of tools already.
func (o options) dialer() func(ctx context.Context, start, listed bool) (*link.Conn, error) {
	return func(ctx context.Context, start, listed bool) (*link.Conn, error) {
		g := o.greeting(link.MCP, "")
		g.Listed = listed
		if start {
			return o.attach(ctx, g)
		}
		socket, err := paths.Socket(o.data)
		if err != nil {
			return nil, err
		}
		return link.Dial(ctx, socket, g)
	}
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
