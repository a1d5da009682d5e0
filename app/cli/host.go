package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"gopkg.in/natefinch/lumberjack.v2"

	"baton/backend"
	"baton/backend/link"
	"baton/backend/paths"
	"baton/backend/redact"
)

// host runs the host of a data folder until nobody needs it. A second one for
// the same folder gives way at once.
func host(o options, version string) error {
	lock, err := link.Lock(o.data)
	if errors.Is(err, link.ErrTaken) {
		return fmt.Errorf("%w (process %d)", err, link.Owner(o.data))
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	var running atomic.Pointer[backend.Backend]
	log := logger(o.data, func(s string) string {
		if b := running.Load(); b != nil {
			s = b.Scrub(s)
		}
		return redact.Text(s)
	})
	defer func() {
		if r := recover(); r != nil {
			log.Error("the host panicked", "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			panic(r)
		}
	}()
	socket, err := paths.Socket(o.data)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ui := newUI(version, log)
	b, err := backend.Open(ctx, backend.Config{Data: o.data, Chromium: o.chromium, Version: version, Log: log, Owns: ui.Owns, Hosts: ui.Hosts})
	if err != nil {
		log.Error("the host could not start", "error", err)
		return err
	}
	running.Store(b)
	ui.use(b)
	l, err := link.Listen(socket)
	if err != nil {
		return errors.Join(err, b.Close())
	}
	log.Info("host started", "version", version, "process", os.Getpid())
	h := backend.NewHost(b, ui)
	var lost atomic.Bool
	go func() {
		for ctx.Err() == nil && link.Held(lock, o.data) {
			select {
			case <-time.After(lockEvery):
			case <-ctx.Done():
			}
		}
		if ctx.Err() == nil {
			lost.Store(true)
			h.Close()
		}
	}()
	err = h.Serve(ctx, l)
	ui.close()
	err = errors.Join(err, b.Close())
	if lost.Load() {
		// Not to the log: its folder is gone too, and may be another host's.
		return errors.New("the data folder was deleted or replaced while Baton ran, so this host ended")
	}
	log.Info("host ended", "error", err)
	return err
}

// lockEvery is how often the host looks whether the data folder is still its own.
const lockEvery = time.Second

// logger writes to the data folder's log, with every text cleaned.
func logger(data string, clean func(string) string) *slog.Logger {
	w := &lumberjack.Logger{Filename: filepath.Join(data, "log", "baton.log"), MaxSize: 5, MaxBackups: 3}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch v := a.Value.Any().(type) {
		case string:
			a.Value = slog.StringValue(clean(v))
		case error:
			a.Value = slog.StringValue(clean(v.Error()))
		}
		return a
	}}))
}

// startHost begins a host process that outlives this one. ended tells why it
// ended, when it does while this process still runs.
func (o options) startHost() (ended <-chan error, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	// A file, not a pipe: the host may outlive whoever started it.
	if err := os.MkdirAll(filepath.Join(o.data, "log"), 0o700); err != nil {
		return nil, err
	}
	said, err := os.OpenFile(filepath.Join(o.data, "log", "start.log"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer said.Close()
	from, err := said.Seek(0, io.SeekEnd)
	if err == nil && from > maxStartLog {
		from, err = 0, said.Truncate(0)
	}
	if err != nil {
		return nil, err
	}
	args := []string{"host", "--data-dir", o.data}
	if o.chromium != "" {
		args = append(args, "--chromium", o.chromium)
	}
	cmd := exec.Command(hostProgram(self), args...)
	cmd.Dir = o.data
	cmd.Stderr = said
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	why := make(chan error, 1)
	go func() { why <- o.blame(cmd.Wait(), from) }()
	return why, nil
}

// maxStartLog bounds what hosts said at their start and end, in bytes.
const maxStartLog = 64 << 10

// blame gives what a host that failed said, from a place in its log on.
func (o options) blame(err error, from int64) error {
	if err == nil {
		return nil
	}
	f, open := os.Open(filepath.Join(o.data, "log", "start.log"))
	if open != nil {
		return err
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(io.NewSectionReader(f, from, maxStartLog), 1000))
	text := strings.TrimSpace(strings.TrimPrefix(string(b), "baton: "))
	if strings.Contains(text, link.ErrTaken.Error()) {
		return link.ErrTaken
	}
	if text == "" {
		return fmt.Errorf("%w (%w)", link.ErrSilent, err)
	}
	return errors.New(text)
}

// hostProgram gives the program without a window beside the one that runs: the
// host links no GTK.
func hostProgram(self string) string {
	if p := filepath.Join(filepath.Dir(self), "baton"+filepath.Ext(self)); p != self {
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() {
			return p
		}
	}
	return self
}

// attach connects to the data folder's host, started when none runs.
func (o options) attach(ctx context.Context, g link.Greeting) (*link.Conn, error) {
	socket, err := paths.Socket(o.data)
	if err != nil {
		return nil, err
	}
	return link.Connect(ctx, socket, g, o.startHost)
}

// patience bounds what a command waits for the host.
const patience = 25 * time.Second
