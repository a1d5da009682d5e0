package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"baton/build/probe"
)

// A use is one tool call.
type use struct {
	tool string
	args map[string]any
}

type args = map[string]any

func calls(tool string, a args) []use { return []use{{tool, a}} }

// field is one field of a form to fill.
type field struct {
	ref, role, name string
	kind            string // text, select, check
	value           string
}

// peer is a server that is measured: how it is started, and how what an agent
// wants is said to it.
type peer struct {
	name, title, version string
	npm                  string // package, with its version; "" is not from npm

	// command starts the server. where is a folder of its own that lasts for a
	// session; join is the address of a running browser to attach to, or "".
	command func(where, join string) *exec.Cmd
	// joins says that a second command in the same folder meets the browser of
	// the first; else a browser is started for it to attach to.
	joins bool
	// end ends what the server leaves behind; nil is nothing.
	end func(where string)

	// outline gives the part of an answer that shows the page; "" when none does.
	outline func(text string) string
	// element is a pattern whose first group is an element's reference; role and
	// name are already quoted for it.
	element string
	// keeps says that references stay valid when a newer outline has come.
	keeps bool

	navigate func(url string) []use
	snapshot func() []use
	click    func(ref, name string) []use
	typing   func(ref, name, text string) []use
	fill     func(fields []field) []use
	wait     func(text string) []use
	evaluate func(js string) []use
	open     func(url string) []use
	list     func() []use
	scroll   func() []use
	query    func(text string) []use // finds in a page too long to show; nil when it cannot
	read     func(text string) []use // the page's text, for a passage; nil means its snapshot
}

// find gives the reference of an element in an outline.
func (p *peer) find(outline, role, name string) string {
	m := regexp.MustCompile(fmt.Sprintf(p.element, regexp.QuoteMeta(role), regexp.QuoteMeta(name))).FindStringSubmatch(outline)
	if m == nil {
		return ""
	}
	return m[1]
}

// cache is where the others are installed.
const cache = ".cache/bench"

// choose gives the peers of a run, installed.
func (r *run) choose(ctx context.Context, names string) ([]*peer, error) {
	all := []*peer{r.baton(), r.playwright(), r.devtools(), r.agentBrowser()}
	if names == "" {
		names = "baton,playwright,devtools,agent-browser"
	}
	var out []*peer
	for n := range strings.SplitSeq(names, ",") {
		i := -1
		for k, p := range all {
			if p.name == n {
				i = k
			}
		}
		if i < 0 {
			return nil, fmt.Errorf("there is no peer %q", n)
		}
		if err := r.install(ctx, all[i]); err != nil {
			return nil, err
		}
		out = append(out, all[i])
	}
	return out, nil
}

// module gives the folder of an installed npm package.
func module(name string) string {
	p, err := filepath.Abs(filepath.Join(cache, "node_modules", name))
	if err != nil {
		return name
	}
	return p
}

// install brings a peer from npm unless it is there, without the browser that
// some bring along, and reads its version.
func (r *run) install(ctx context.Context, p *peer) error {
	if p.npm == "" {
		out, err := exec.CommandContext(ctx, r.program, "version").Output()
		if err != nil {
			return fmt.Errorf("%s does not run (go tool task build makes it): %w", r.program, err)
		}
		p.version = strings.TrimPrefix(strings.TrimSpace(string(out)), "baton ")
		return nil
	}
	at := strings.LastIndexByte(p.npm, '@')
	name, want := p.npm[:at], p.npm[at+1:]
	version := func() string {
		var m struct{ Version string }
		b, err := os.ReadFile(filepath.Join(module(name), "package.json"))
		if err != nil || json.Unmarshal(b, &m) != nil {
			return ""
		}
		return m.Version
	}
	if p.version = version(); p.version == want {
		return nil
	}
	r.say("installing %s", p.npm)
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(cache, "package.json")); err != nil {
		if err := os.WriteFile(filepath.Join(cache, "package.json"), []byte(`{"private":true}`), 0o644); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--save-exact", p.npm)
	cmd.Dir = cache
	cmd.Env = append(os.Environ(), "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1", "PUPPETEER_SKIP_DOWNLOAD=1")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm install %s: %w", p.npm, err)
	}
	if p.version = version(); p.version != want {
		return fmt.Errorf("npm installed version %q of %s", p.version, p.npm)
	}
	return nil
}

// session is a started server.
type session struct {
	*probe.Client
	p     *peer
	where string
}

// begin starts a peer's server in a folder of its own, or, with an earlier
// session or a browser's address, beside it.
func (r *run) begin(ctx context.Context, p *peer, beside *session, join string) (*session, error) {
	r.count++
	tag := fmt.Sprintf("%s-%d-%d", p.name, os.Getpid(), r.count)
	where := filepath.Join(r.scratch, tag)
	if beside != nil {
		where, tag = beside.where, beside.Tag
	}
	if err := os.MkdirAll(where, 0o700); err != nil {
		return nil, err
	}
	cmd := p.command(where, join)
	if cmd.Dir == "" {
		cmd.Dir = where
	}
	c, err := probe.Start(ctx, cmd, tag)
	if err != nil {
		return nil, err
	}
	return &session{c, p, where}, nil
}

// finish ends a session and all of its processes.
func (s *session) finish() {
	if s.p.end != nil {
		s.p.end(s.where)
	}
	s.Stop()
}

// do makes tool calls and gives their answers as one.
func (s *session) do(ctx context.Context, list []use) (probe.Result, error) {
	var sum probe.Result
	for _, u := range list {
		one, err := s.Call(ctx, u.tool, u.args)
		if err != nil {
			return sum, err
		}
		sum.Text += one.Text + "\n"
		sum.Asked += one.Asked + "\n"
		sum.Images += one.Images
		sum.Took += one.Took
		sum.Failed = sum.Failed || one.Failed
	}
	return sum, nil
}

// must is do for what has to succeed.
func (s *session) must(ctx context.Context, list []use) (probe.Result, error) {
	r, err := s.do(ctx, list)
	if err == nil && r.Failed {
		err = fmt.Errorf("%s failed: %.160s", list[0].tool, r.Text)
	}
	return r, err
}

// look gives an outline of the page, of its own call unless the answer before
// carried one.
func (s *session) look(ctx context.Context, before probe.Result) (probe.Result, error) {
	if o := s.p.outline(before.Text); o != "" {
		return before, nil
	}
	r, err := s.must(ctx, s.p.snapshot())
	r.Took += before.Took
	return r, err
}
