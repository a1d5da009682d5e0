package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"baton/backend/fault"
	"baton/backend/link"
	"baton/backend/paths"
	"baton/build/probe"
)

type config struct {
	calls, tabs int
	seed        uint64
	program     string
	pause       time.Duration // before each look at the host
	warming     float64       // MB that the host may need besides, as long as it is new
	say         func(format string, args ...any)
}

// What a host may grow by between the first judged reading and the last.
const (
	moreFiles      = 6
	moreGoroutines = 10
	moreMemory     = 1.10
	callWait       = 40 * time.Second
)

// A reading is the state of the host at rest, after some calls.
type reading struct {
	calls      int
	files      int
	goroutines int
	heap       float64 // MB in use
	host       float64 // PSS, MB
	chromium   float64 // PSS of all of Chromium, MB
	processes  int     // Chromium's
}

// soaking is a soak under way.
type soaking struct {
	config
	client  *probe.Client
	control *link.Conn
	site    *probe.Site
	pid     int // of the host
	r       *rand.Rand
	slots   []*slot
	made    int
	astray  []string       // answers and clicks that went to something else
	refused map[string]int // by code
	slowest time.Duration
	slow    string // what took that long
	read    []reading
}

// slot is a place for a tab; the tab in it changes.
type slot struct {
	number  int
	tab     string
	outline string
}

// report tells of a soak as Markdown.
type report struct {
	seed    uint64
	made    int
	tabs    int
	took    time.Duration
	astray  []string
	refused map[string]int
	slowest time.Duration
	slow    string
	read    []reading
}

func (r report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d calls over %d tabs in %v (seed %d). Not answered: 0. Astray: %d. The slowest call (%s): %v.\n\n",
		r.made, r.tabs, r.took.Round(time.Second), r.seed, len(r.astray), r.slow, r.slowest.Round(time.Millisecond))
	b.WriteString("| after calls | file descriptors | goroutines | heap in use, MB | host, PSS MB | Chromium, PSS MB | its processes |\n|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, x := range r.read {
		fmt.Fprintf(&b, "| %d | %d | %d | %.1f | %.1f | %.0f | %d |\n", x.calls, x.files, x.goroutines, x.heap, x.host, x.chromium, x.processes)
	}
	if len(r.refused) > 0 {
		b.WriteString("\nRefused, as it should be:")
		for _, code := range slices.Sorted(maps.Keys(r.refused)) {
			fmt.Fprintf(&b, " %s %d", code, r.refused[code])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// refusals are codes that a page which changes under an agent explains.
var refusals = []fault.Code{
	fault.TargetNotFound, fault.TargetGone, fault.TargetCovered, fault.TargetHidden, fault.TargetDisabled, fault.TargetAmbiguous, fault.TargetNotEditable,
}

// soak runs one. What it measured comes with an error too.
func soak(ctx context.Context, c config) (report, error) {
	s := &soaking{config: c, r: rand.New(rand.NewPCG(c.seed, 1)), refused: map[string]int{}}
	begun := time.Now()
	err := s.run(ctx)
	return report{s.seed, s.made, s.tabs, time.Since(begun), s.astray, s.refused, s.slowest, s.slow, s.read}, err
}

func (s *soaking) run(ctx context.Context) error {
	data, err := os.MkdirTemp("", "baton-soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	if s.program, err = filepath.Abs(s.program); err != nil {
		return err
	}
	if s.site, err = probe.NewSite(); err != nil {
		return err
	}
	defer s.site.Close()
	tag := fmt.Sprintf("soak-%d-%d", os.Getpid(), s.seed)
	s.client, err = probe.Start(ctx, exec.Command(s.program, "mcp", "--headless", "--data-dir", data), tag)
	if err != nil {
		return err
	}
	defer s.client.Stop()
	socket, err := paths.Socket(data)
	if err != nil {
		return err
	}
	if s.control, err = link.Dial(ctx, socket, link.Greeting{Kind: link.Control, Role: "doctor"}); err != nil {
		return err
	}
	defer s.control.Close()
	if err := s.work(ctx); err != nil {
		return err
	}
	s.control.Close()
	s.client.Leave()
	return errors.Join(s.judge(), nothingLeft(tag, data))
}

func (s *soaking) work(ctx context.Context) error {
	for i := range s.tabs {
		k := &slot{number: i}
		s.slots = append(s.slots, k)
		if err := s.open(ctx, k); err != nil {
			return err
		}
	}
	step := max(1, s.calls/10)
	for next := step; s.made < s.calls; {
		k := s.slots[s.r.IntN(len(s.slots))]
		if err := s.something(ctx, k); err != nil {
			return fmt.Errorf("after %d calls: %w", s.made, err)
		}
		if s.made >= next {
			if err := s.rest(ctx); err != nil {
				return err
			}
			next += step
		}
	}
	return nil
}

// call calls a tool. Only an answer that a changing page explains may be a
// refusal.
func (s *soaking) call(ctx context.Context, k *slot, tool string, args map[string]any) (text string, refused bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, callWait)
	defer cancel()
	if k != nil && k.tab != "" {
		args["tab"] = k.tab
	}
	r, err := s.client.Call(ctx, tool, args)
	if err != nil {
		return "", false, err
	}
	s.made++
	if r.Took > s.slowest {
		s.slowest, s.slow = r.Took, tool
	}
	if !r.Failed {
		return r.Text, false, nil
	}
	code, _, _ := strings.Cut(r.Text, ":")
	if !slices.Contains(refusals, fault.Code(code)) {
		return "", true, fmt.Errorf("%s %v: %.300s", tool, args, r.Text)
	}
	s.refused[code]++
	return "", true, nil
}

// address gives an address of the site that names the slot; no two are the
// same, so that each has a place of its own in the history.
func (s *soaking) address(k *slot) string {
	all := []string{"/start?", "/form?", "/plants?", "/report?", "/orders?rows=300&", "/signup?", "/frames?", "/parts?", "/modal?", "/feed?", "/gauges?", "/size?n=2000&"}
	return fmt.Sprintf("%s%sslot=%d&call=%d", s.site.Base, all[s.r.IntN(len(all))], k.number, s.made)
}

var opened = regexp.MustCompile(`^Opened (t\d+)`)

func (s *soaking) open(ctx context.Context, k *slot) error {
	k.tab = ""
	text, _, err := s.call(ctx, k, "browser_open", map[string]any{"url": s.address(k)})
	if err != nil {
		return err
	}
	m := opened.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("browser_open says %.200q", text)
	}
	k.tab, k.outline = m[1], text
	return nil
}

// something does one thing in a slot's tab.
func (s *soaking) something(ctx context.Context, k *slot) error {
	switch n := s.r.IntN(100); {
	case n < 16:
		text, _, err := s.call(ctx, k, "browser_navigate", map[string]any{"url": s.address(k)})
		k.outline = text
		return err
	case n < 32:
		text, _, err := s.call(ctx, k, "browser_snapshot", map[string]any{})
		k.outline = text
		return err
	case n < 52:
		return s.click(ctx, k)
	case n < 66:
		return s.typing(ctx, k)
	case n < 82:
		return s.where(ctx, k)
	case n < 88:
		return s.back(ctx, k)
	case n < 91:
		_, _, err := s.call(ctx, k, "browser_scroll", map[string]any{"to": "bottom"})
		return err
	case n < 94:
		_, _, err := s.call(ctx, k, "browser_press", map[string]any{"keys": "Tab"})
		return err
	case n < 96:
		_, _, err := s.call(ctx, k, "browser_screenshot", map[string]any{})
		return err
	default:
		if _, _, err := s.call(ctx, k, "browser_close", map[string]any{}); err != nil {
			return err
		}
		return s.open(ctx, k)
	}
}

// elements are what an outline shows of the page itself, with references.
var elements = regexp.MustCompile(`(?m)^\s*- (\w+) ("(?:[^"\\]|\\.)*") \[(e\d+)\]`)

func (s *soaking) pick(k *slot, role string) (ref, name string) {
	outline, _, _ := strings.Cut(k.outline, "- iframe")
	var fit [][]string
	for _, m := range elements.FindAllStringSubmatch(outline, -1) {
		if m[1] == role {
			fit = append(fit, m)
		}
	}
	if len(fit) == 0 {
		return "", ""
	}
	m := fit[s.r.IntN(len(fit))]
	_ = json.Unmarshal([]byte(m[2]), &name)
	return m[3], name
}

// click clicks a button and asks the page what was clicked.
func (s *soaking) click(ctx context.Context, k *slot) error {
	ref, name := s.pick(k, "button")
	if ref == "" {
		return s.where(ctx, k)
	}
	_, refused, err := s.call(ctx, k, "browser_click", map[string]any{"target": ref})
	if err != nil || refused {
		return err
	}
	k.outline = strings.Replace(k.outline, "["+ref+"]", "", 1) // its name may be another now
	got, _, err := s.call(ctx, k, "browser_evaluate", map[string]any{"expression": "clicked"})
	if err != nil {
		return err
	}
	var said string
	if json.Unmarshal([]byte(got), &said) != nil || (said != name && said != "") {
		s.astray = append(s.astray, fmt.Sprintf("a click on %q in %s reached %q", name, k.tab, got))
	}
	return nil
}

// typing types into a field and compares what it then holds.
func (s *soaking) typing(ctx context.Context, k *slot) error {
	ref, _ := s.pick(k, "textbox")
	if ref == "" {
		return s.where(ctx, k)
	}
	text := fmt.Sprintf("call %d", s.made)
	got, refused, err := s.call(ctx, k, "browser_type", map[string]any{"target": ref, "text": text})
	if err == nil && !refused && !strings.Contains(got, text) {
		s.astray = append(s.astray, fmt.Sprintf("typing %q in %s gave %.200q", text, k.tab, got))
	}
	return err
}

// where asks the page which slot it is in.
func (s *soaking) where(ctx context.Context, k *slot) error {
	got, _, err := s.call(ctx, k, "browser_evaluate", map[string]any{"expression": "new URLSearchParams(location.search).get('slot')"})
	if want := fmt.Sprintf("%q", fmt.Sprint(k.number)); err == nil && got != want {
		s.astray = append(s.astray, fmt.Sprintf("tab %s says that its slot is %s, not %s", k.tab, got, want))
	}
	return err
}

// back goes to another page and back.
func (s *soaking) back(ctx context.Context, k *slot) error {
	if _, _, err := s.call(ctx, k, "browser_navigate", map[string]any{"url": s.address(k)}); err != nil {
		return err
	}
	text, _, err := s.call(ctx, k, "browser_navigate", map[string]any{"action": "back"})
	k.outline = text
	return err
}

// rest brings every tab to the same page and reads the host.
func (s *soaking) rest(ctx context.Context) error {
	for _, k := range s.slots {
		text, _, err := s.call(ctx, k, "browser_navigate", map[string]any{"url": fmt.Sprintf("%s/start?slot=%d", s.site.Base, k.number)})
		if err != nil {
			return err
		}
		k.outline = text
	}
	r := reading{calls: s.made}
	// The least of a few readings: what is just ending or not yet collected is
	// no growth.
	for n := range 3 {
		select {
		case <-time.After(s.pause):
		case <-ctx.Done():
			return ctx.Err()
		}
		a, err := s.control.Ask(ctx, link.Ask{Do: link.AskStatus})
		if err != nil {
			return err
		}
		s.pid = a.PID
		now := reading{
			calls: s.made, files: probe.Files(a.PID), goroutines: a.Goroutines, heap: float64(a.Heap) / (1 << 20), host: probe.PSS(a.PID),
		}
		for _, pid := range probe.Descend(a.PID) {
			if probe.Browser(pid) {
				now.chromium += probe.PSS(pid)
				now.processes++
			}
		}
		if n == 0 {
			r = now
			continue
		}
		r.files, r.goroutines, r.heap = min(r.files, now.files), min(r.goroutines, now.goroutines), min(r.heap, now.heap)
		r.host, r.chromium, r.processes = min(r.host, now.host), min(r.chromium, now.chromium), min(r.processes, now.processes)
	}
	s.read = append(s.read, r)
	s.say("after %d calls: %d files, %d goroutines, heap %.1f MB, host %.1f MB, Chromium %.0f MB in %d processes", r.calls, r.files, r.goroutines, r.heap, r.host, r.chromium, r.processes)
	return nil
}

// judge compares the first reading with the last.
func (s *soaking) judge() error {
	var errs []error
	if len(s.astray) > 0 {
		errs = append(errs, fmt.Errorf("%d went astray, first: %s", len(s.astray), s.astray[0]))
	}
	if len(s.read) < 2 {
		return errors.Join(append(errs, errors.New("the soak was too short to compare anything"))...)
	}
	a, b := s.read[0], s.read[len(s.read)-1]
	if b.files > a.files+moreFiles {
		errs = append(errs, fmt.Errorf("file descriptors grew from %d to %d", a.files, b.files))
	}
	if b.goroutines > a.goroutines+moreGoroutines {
		errs = append(errs, fmt.Errorf("goroutines grew from %d to %d", a.goroutines, b.goroutines))
	}
	if b.host > a.host*moreMemory+s.warming {
		errs = append(errs, fmt.Errorf("the host's memory grew from %.1f to %.1f MB", a.host, b.host))
	}
	return errors.Join(errs...)
}

// nothingLeft waits until no process of the soak is left.
func nothingLeft(tag, data string) error {
	var left []string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		left = nil
		for _, pid := range probe.Tagged(probe.Tag, tag) {
			left = append(left, fmt.Sprintf("%d %.80s", pid, probe.Line(pid)))
		}
		for _, pid := range probe.Naming(data) {
			left = append(left, fmt.Sprintf("%d %.80s", pid, probe.Line(pid)))
		}
		if len(left) == 0 {
			return nil
		}
	}
	return fmt.Errorf("left running after the client had gone: %s", strings.Join(left, "; "))
}
