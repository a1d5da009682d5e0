package chromium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
)

// Process is a running Chromium.
type Process struct {
	Conn    *cdp.Conn
	Version browser.GetVersionResult

	cmd    *exec.Cmd
	exited chan struct{}
	err    error // of Wait, valid once exited is closed
	tail   *tail
}

// Launch starts a Chromium and waits until it answers. ctx bounds the start
// alone. The error is ErrMissing, a *LockedError, or says what Chromium said.
func Launch(ctx context.Context, c Config, log *slog.Logger) (*Process, error) {
	if err := os.MkdirAll(c.Profile, 0o700); err != nil {
		return nil, fmt.Errorf("profile folder: %w", err)
	}
	note, err := Unlock(c.Profile)
	if err != nil {
		return nil, err
	}
	if note != "" {
		log.Warn(note, "profile", c.Profile)
	}
	if err := errors.Join(prefer(c.Profile), keepNoSessions(c.Profile)); err != nil {
		return nil, err
	}
	path, err := noPrograms(c.Profile)
	if err != nil {
		return nil, err
	}
	if c.Root {
		log.Warn("running as root: Chromium runs without its sandbox; use an ordinary user to have it")
	}
	p := &Process{exited: make(chan struct{}), tail: &tail{}}
	p.cmd = exec.Command(c.Path, c.args()...)
	p.cmd.Env = append(os.Environ(), "GOOGLE_API_KEY=no", "GOOGLE_DEFAULT_CLIENT_ID=no", "GOOGLE_DEFAULT_CLIENT_SECRET=no", "PATH="+path)
	p.cmd.Stderr = p.tail
	p.cmd.WaitDelay = 2 * time.Second
	in, out, err := start(p.cmd)
	if err != nil {
		return nil, fmt.Errorf("starting Chromium: %w", err)
	}
	p.Conn = cdp.New(in, out)
	go func() {
		p.err = p.cmd.Wait()
		in.Close()
		close(p.exited)
	}()
	p.Version, err = cdproto.Call(ctx, p.Conn.Browser(), browser.GetVersion, cdproto.Empty{})
	if err == nil {
		return p, nil
	}
	said := p.tail.String()
	p.Kill()
	if said != "" {
		err = fmt.Errorf("%w; it said: %s", err, said)
	}
	return nil, fmt.Errorf("starting Chromium: %w", err)
}

// PID is the main process's id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Exited is closed when the process has ended, however it came.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Stop asks Chromium to close, which writes its profile, and kills it when it
// has not ended by then.
func (p *Process) Stop(wait time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	_, err := cdproto.Call(ctx, p.Conn.Browser(), browser.Close, cdproto.Empty{})
	if err != nil && !errors.Is(err, cdp.ErrClosed) {
		p.Kill()
		return nil
	}
	select {
	case <-p.exited:
		return nil
	case <-ctx.Done():
		p.Kill()
		return fmt.Errorf("closing Chromium: it took more than %v and was killed", wait)
	}
}

// Kill ends the process at once and waits until it is gone.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	p.Conn.Close()
	<-p.exited
}

// tail keeps the last lines that Chromium wrote to its error output.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

var _ io.Writer = (*tail)(nil)

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if n := len(t.buf); n > 4096 {
		t.buf = append(t.buf[:0], t.buf[n-2048:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.buf))
}
