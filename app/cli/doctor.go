package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"baton/backend/chromium"
	"baton/backend/link"
	"baton/backend/paths"
)

// doctor checks what Baton needs and says how to mend what is missing. It
// gives 1 when something that browsing needs is missing.
func doctor(o options, version string, w io.Writer) int {
	bad := 0
	say := func(ok bool, what, fix string) {
		mark := "ok  "
		if !ok {
			mark = "MEND"
		}
		fmt.Fprintf(w, "%s  %s\n", mark, what)
		if !ok && fix != "" {
			fmt.Fprintf(w, "      %s\n", fix)
		}
	}
	fmt.Fprintf(w, "baton %s\n\n", version)

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	path, err := chromium.Find(o.chromium)
	if err == nil {
		var v string
		if v, err = chromium.Version(ctx, path); err == nil {
			say(true, fmt.Sprintf("Chromium %s (%s)", v, path), "")
		}
	}
	if err != nil {
		bad = 1
		say(false, "Chromium: "+err.Error(), "Debian and Ubuntu: sudo apt install chromium; or give --chromium PATH")
	}
	if os.Geteuid() == 0 {
		say(false, "Chromium's sandbox: off, because this is root", "run Baton as an ordinary user")
	} else {
		say(true, "Chromium's sandbox: on", "")
	}

	probe := filepath.Join(o.data, ".write-test")
	if err := os.WriteFile(probe, nil, 0o600); err != nil {
		bad = 1
		say(false, "data folder "+o.data+": "+err.Error(), "make it writable, or give --data-dir DIR")
	} else {
		_ = os.Remove(probe)
		say(true, "data folder "+o.data, "")
	}

	if socket, err := paths.Socket(o.data); err != nil {
		bad = 1
		say(false, "private socket: "+err.Error(), "remove that folder")
	} else if c, err := link.Dial(ctx, socket, o.greeting(link.Control, "doctor")); err == nil {
		a, err := c.Ask(ctx, link.Ask{Do: link.AskStatus})
		c.Close()
		if err == nil {
			say(true, fmt.Sprintf("host: running (process %d, %d tabs, %d agents)", a.PID, a.Tabs, a.Agents), "")
		} else {
			say(false, "host: "+err.Error(), "close Baton and start it again")
		}
	} else {
		say(true, "host: not running; the next start brings it up", "")
	}

	if _, err := windowProgram(); err != nil {
		say(false, "window: no baton-window beside this program", "go tool task build; or use `baton serve` and a browser")
	} else if err := display(); err != nil {
		say(false, "window: "+err.Error(), "use `baton serve` and a browser, or `baton mcp` alone")
	} else {
		say(true, "window and display", "")
	}
	return bad
}
