package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// serviceDeadline is how long a service may take to say that it is ready.
const serviceDeadline = 30 * time.Second

// start brings up what tests must not share with the person's desk: a home
// folder, a display, a session bus and an unlocked keychain. env is the tests'
// environment; end stops everything and removes the home.
func start(ctx context.Context) (env []string, end func(), err error) {
	dir, err := os.MkdirTemp("", "baton-test-")
	if err != nil {
		return nil, nil, err
	}
	s := &services{dir: dir}
	defer func() {
		if err != nil {
			s.end()
		}
	}()

	home, runtime := filepath.Join(dir, "home"), filepath.Join(dir, "run")
	for _, d := range []string{home, runtime} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, nil, err
		}
	}
	s.env = privateEnv(os.Environ())
	// Go's own folders lie under the real home.
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOENV"} {
		value, err := goEnv(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		s.env = append(s.env, name+"="+value)
	}
	s.env = append(s.env, "HOME="+home, "XDG_RUNTIME_DIR="+runtime, "GDK_BACKEND=x11", "NO_AT_BRIDGE=1")

	display, err := s.serve("Xvfb", "-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset")
	if err != nil {
		return nil, nil, err
	}
	s.env = append(s.env, "DISPLAY=:"+display)

	bus, err := s.serve("dbus-daemon", "--session", "--nofork", "--print-address=3")
	if err != nil {
		return nil, nil, err
	}
	s.env = append(s.env, "DBUS_SESSION_BUS_ADDRESS="+bus)

	// The keyring daemon goes to the background once unlocked and ends with
	// the bus.
	unlock, cancel := context.WithTimeout(ctx, serviceDeadline)
	defer cancel()
	keyring := command(unlock, s.env, "gnome-keyring-daemon", "--unlock", "--components=secrets")
	keyring.Stdin = strings.NewReader("test\n")
	keyring.Stderr = nil
	if err := keyring.Run(); err != nil {
		return nil, nil, fmt.Errorf("unlocking a keychain for the tests: %w", err)
	}
	return s.env, s.end, nil
}

// privateEnv drops what would lead a test to the person's own desk or folders.
func privateEnv(env []string) []string {
	var kept []string
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		switch {
		case strings.HasPrefix(name, "XDG_"), strings.HasPrefix(name, "BATON_"),
			strings.HasPrefix(name, "GNOME_KEYRING"), name == "WAYLAND_DISPLAY", name == "XAUTHORITY":
		default:
			kept = append(kept, e)
		}
	}
	return kept
}

type services struct {
	dir     string
	env     []string
	running []*exec.Cmd
}

// serve starts a program that lives as long as the tests and returns the line
// that it writes to its file descriptor 3 when it is ready.
func (s *services) serve(name string, args ...string) (string, error) {
	ready, theirs, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer ready.Close()
	var said strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Env = s.env
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	cmd.Stderr = &said
	cmd.WaitDelay = time.Second
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return "", fmt.Errorf("%w (go tool task setup installs it)", err)
	}
	s.running = append(s.running, cmd)
	if err := ready.SetReadDeadline(time.Now().Add(serviceDeadline)); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(ready).ReadString('\n')
	if err != nil && (line == "" || err != io.EOF) {
		s.stop(cmd)
		return "", fmt.Errorf("%s did not get ready: %w\n%s", name, err, said.String())
	}
	return strings.TrimSpace(line), nil
}

func (s *services) stop(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	kill.Stop()
}

func (s *services) end() {
	for i := len(s.running) - 1; i >= 0; i-- {
		s.stop(s.running[i])
	}
	_ = os.RemoveAll(s.dir)
}
