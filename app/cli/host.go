package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
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
	log := logger(o.data)
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
	b, err := backend.Open(ctx, backend.Config{Data: o.data, Chromium: o.chromium, Version: version, Log: log, Owns: ui.Owns})
	if err != nil {
		log.Error("the host could not start", "error", err)
		return err
	}
	ui.use(b)
	l, err := link.Listen(socket)
	if err != nil {
		return errors.Join(err, b.Close())
	}
	log.Info("host started", "version", version, "process", os.Getpid())
	err = backend.NewHost(b, ui).Serve(ctx, l)
	ui.close()
	err = errors.Join(err, b.Close())
	log.Info("host ended", "error", err)
	return err
}

// logger writes to the data folder's log, with addresses and credentials
// cleaned.
func logger(data string) *slog.Logger {
	w := &lumberjack.Logger{Filename: filepath.Join(data, "log", "baton.log"), MaxSize: 5, MaxBackups: 3}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch v := a.Value.Any().(type) {
		case string:
			a.Value = slog.StringValue(redact.Text(v))
		case error:
			a.Value = slog.StringValue(redact.Text(v.Error()))
		}
		return a
	}}))
}

// startHost begins a host process that outlives this one.
func (o options) startHost() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{"host", "--data-dir", o.data}
	if o.chromium != "" {
		args = append(args, "--chromium", o.chromium)
	}
	cmd := exec.Command(hostProgram(self), args...)
	cmd.Dir = o.data
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
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
