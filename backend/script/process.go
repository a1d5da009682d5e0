package script

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// startWait is how long a child may take until it is ready.
const startWait = 20 * time.Second

// child is a process that runs one script.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   io.ReadCloser
	lines chan toHost   // closed when the child has nothing more to say
	quit  chan struct{} // closed by kill: nobody reads lines any more
	gone  chan struct{} // closed when the process has ended

	kills sync.Once
	wmu   sync.Mutex // guards in
	err   error      // why it ended; fixed once gone is closed
}

// startChild starts a child and waits until it is ready for a script.
func startChild(cfg Config) (*child, error) {
	program, err := program(cfg.Program)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, cfg.Args...)
	cmd.Dir = os.TempDir()
	cmd.Env = environment()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := start(cmd); err != nil {
		return nil, err
	}
	c := &child{cmd: cmd, in: in, out: out, lines: make(chan toHost), quit: make(chan struct{}), gone: make(chan struct{})}
	go c.listen()
	select {
	case m, ok := <-c.lines:
		if ok && m.T == "ready" {
			return c, nil
		}
		c.kill()
		return nil, fmt.Errorf("script: the child did not get ready: %w", c.why())
	case <-time.After(startWait):
		c.kill()
		return nil, errors.New("script: the child was not ready in time")
	}
}

// program gives the program to run: this one unless another is named. A binary
// that was replaced under a running host is reached through the kernel.
func program(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	self, err := os.Executable()
	if runtime.GOOS == "linux" {
		if _, gone := os.Stat(self); err != nil || gone != nil {
			return "/proc/self/exe", nil
		}
	}
	return self, err
}

// environment is what a child knows of the machine: as good as nothing.
func environment() []string {
	env := []string{"GOMAXPROCS=2"}
	for _, k := range []string{"SystemRoot", "TMP", "TEMP"} { // Windows needs them to start a program
		if v := os.Getenv(k); v != "" {
			env = append(env, k+"="+v)
		}
	}
	return env
}

// listen hands on the child's lines until it ends. A line that is too long or
// no message ends the child.
func (c *child) listen() {
	s := bufio.NewScanner(c.out)
	s.Buffer(make([]byte, 64<<10), maxLine)
	for s.Scan() {
		var m toHost
		if json.Unmarshal(s.Bytes(), &m) != nil {
			break
		}
		select {
		case c.lines <- m:
			continue
		case <-c.quit:
		}
		break
	}
	_ = c.cmd.Process.Kill()
	c.err = errors.Join(s.Err(), c.cmd.Wait())
	close(c.gone)
	close(c.lines)
}

// send writes a line; it does not return while the child does not read.
func (c *child) send(m toChild) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.wmu.Lock()
	defer c.wmu.Unlock()
	_, err = c.in.Write(append(b, '\n'))
	return err
}

func (c *child) alive() bool {
	select {
	case <-c.gone:
		return false
	default:
		return true
	}
}

// kill ends the process and returns when it has gone.
func (c *child) kill() {
	c.stop()
	<-c.gone
}

// stop begins kill.
func (c *child) stop() {
	c.kills.Do(func() {
		close(c.quit)
		_ = c.cmd.Process.Kill()
		_ = c.in.Close()
		_ = c.out.Close()
	})
}

func (c *child) why() error {
	<-c.gone
	if c.err == nil {
		return errors.New("script: the child ended")
	}
	return c.err
}
