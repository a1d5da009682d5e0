// Package cli holds Baton's commands, one file each.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"baton/backend/chromium"
	"baton/backend/link"
	"baton/backend/paths"
)

const usage = `Baton, the browser that you share with your AI agent.

  baton                 open the window
  baton mcp             speak MCP on stdin and stdout, for an agent
  baton serve           serve the same page to a browser; prints one address
  baton doctor          check what Baton needs, and say how to mend it
  baton version

Flags of every command:
  --data-dir DIR        where tabs, profiles and settings live (or $BATON_DATA_DIR)
  --chromium PATH       the Chromium to drive (or $BATON_CHROMIUM)

baton mcp:
  --agent NAME          the name that this agent's tabs are kept under
  --window, --headless  open Baton's window too, or not (the default)
  --files DIR           a folder that the agent may take files from; repeatable
  --structured          send structured results beside the text
  --tools gateway       list one tool at first, the rest when it is called

baton serve:
  --port N              the loopback port; 0 takes any
`

// options are the flags of all commands.
type options struct {
	data, chromium string
	agent, tools   string
	files          list
	window         bool
	headless       bool
	structured     bool
	port           int
	tab            string
}

type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// Main runs one command and gives the process's exit code.
func Main(args []string, version string) int {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	if name == "script" {
		return runScript() // it has no flags, no folder and no environment
	}
	o, err := parse(name, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(usage)
		return 0
	case err != nil:
		fmt.Fprintf(os.Stderr, "baton: %v\n\n%s", err, usage)
		return 2
	}
	switch name {
	case "":
		err = window(o, version)
	case "host":
		err = host(o, version)
	case "mcp":
		err = mcp(o)
	case "serve":
		err = serve(o)
	case "pip": // of the window
		err = pip(o)
	case "display": // for doctor
		err = display()
	case "doctor":
		return doctor(o, version, os.Stdout)
	case "version":
		fmt.Println("baton", version)
	case "help":
		fmt.Print(usage)
	default:
		fmt.Fprintf(os.Stderr, "baton: there is no command %q\n\n%s", name, usage)
		return 2
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "baton:", err)
		return 1
	}
	return 0
}

func parse(name string, args []string) (options, error) {
	var o options
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.data, "data-dir", "", "")
	f.StringVar(&o.chromium, "chromium", "", "")
	switch name {
	case "mcp":
		f.StringVar(&o.agent, "agent", "", "")
		f.StringVar(&o.tools, "tools", "", "")
		f.Var(&o.files, "files", "")
		f.BoolVar(&o.window, "window", false, "")
		f.BoolVar(&o.headless, "headless", false, "")
		f.BoolVar(&o.structured, "structured", false, "")
	case "pip":
		f.StringVar(&o.tab, "tab", "", "")
	case "serve":
		f.IntVar(&o.port, "port", 0, "")
	}
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q is not understood", f.Arg(0))
	}
	if o.window && o.headless {
		return o, errors.New("--window and --headless exclude each other")
	}
	if o.tools != "" && o.tools != "all" && o.tools != "gateway" {
		return o, fmt.Errorf("--tools is %q; it is all or gateway", o.tools)
	}
	var err error
	if o.data, err = paths.Data(o.data); err != nil {
		return o, err
	}
	if o.chromium == "" {
		o.chromium = os.Getenv(chromium.EnvPath)
	}
	return o, nil
}

// greeting is what a client of kind says to the host.
func (o options) greeting(kind, role string) link.Greeting {
	folder, _ := os.Getwd()
	return link.Greeting{
		Kind: kind, Role: role, Agent: o.agent, Structured: o.structured, Gateway: o.tools == "gateway", Files: o.files, Folder: folder,
	}
}
