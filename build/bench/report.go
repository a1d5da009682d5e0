package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A goal is what Baton is to reach: a figure of its own, or a ratio to the best
// of the others or to what a bare Chromium allows.
type goal struct {
	to   string // "", "best", "limit"
	most float64
}

// A row is one line of the table of results.
type row struct {
	measure string
	label   string
	digits  int
	goal    *goal
}

func most(v float64) *goal      { return &goal{"", v} }
func best(ratio float64) *goal  { return &goal{"best", ratio} }
func floor(ratio float64) *goal { return &goal{"limit", ratio} }

// table is what is reported, in order.
var table = []row{
	{"tools", "tool list, tokens", 0, most(3000)},
	{"start", "start to first snapshot, ms", 0, floor(1.25)},
	{"attach", "an agent reaches a running browser, ms", 0, most(50)},
	{"server", "the server's own memory, MB", 0, most(40)},
	{"one page", "one page, all memory, MB", 0, nil},
	{"ten", "ten pages awake, all memory, MB", 0, best(0.8)},
	{"idle", "one page at rest, % of a core", 2, most(0.5)},
	{"load form", "open and see: form, ms", 0, floor(1.3)},
	{"seen orders", "open and see: table of 2,000 rows, ms", 0, best(0.35)},
	{"seen plants", "open and see: 200 cards, ms", 0, nil},
	{"seen report", "open and see: article, ms", 0, nil},
	{"size 1000", "snapshot, 1,000 nodes, ms", 0, floor(2)},
	{"size 5000", "snapshot, 5,000 nodes, ms", 0, floor(2)},
	{"size 20000", "snapshot, 20,000 nodes, ms", 0, floor(2)},
	{"size 50000", "snapshot, 50,000 nodes, ms", 0, floor(2)},
	{"bytes size 20000", "snapshot, 20,000 nodes, bytes", 0, nil},
	{"tokens form", "snapshot of the form, tokens", 0, most(250)},
	{"tokens plants", "snapshot of 200 cards, tokens", 0, most(3000)},
	{"tokens report", "snapshot of the article, tokens", 0, most(1500)},
	{"tokens orders", "snapshot of the table, tokens", 0, most(3000)},
	{"click small", "click, small page, ms", 1, best(0.6)},
	{"tokens click small", "click, small page, tokens of the answer", 0, nil},
	{"click request", "click that asks the site, ms", 1, best(1)},
	{"says click request", "answers that say what the request changed, %", 0, nil},
	{"click big", "click, table of 2,000 rows, ms", 1, best(1)},
	{"evaluate", "evaluate 1+1, ms", 1, most(5)},
	{"form calls", "eight fields: calls", 0, most(1)},
	{"form", "eight fields, ms", 0, best(0.6)},
	{"nine calls", "nine tasks: calls", 0, most(40)},
	{"nine tokens", "nine tasks: tokens in and out", 0, most(12000)},
	{"nine time", "nine tasks: time of the tools, s", 1, best(0.5)},
	{"nine right", "nine tasks: done right, %", 0, nil},
	{"ten calls", "with the table's: calls", 0, nil},
	{"ten tokens", "with the table's: tokens in and out", 0, nil},
	{"ten time", "with the table's: time of the tools, s", 1, nil},
}

// add up what the tasks took.
func (r *run) sum() {
	for _, p := range r.peers {
		var calls, words, took, right, tries [2]float64
		for _, t := range tasks {
			c, ok := r.got.median("calls "+t.name, p.name)
			if !ok {
				continue
			}
			in, _ := r.got.median("in "+t.name, p.name)
			out, _ := r.got.median("out "+t.name, p.name)
			ms, _ := r.got.median("time "+t.name, p.name)
			for i := range 2 {
				if i == 0 && t.name == "table" {
					continue
				}
				calls[i] += c
				words[i] += in + out
				took[i] += ms / 1000
				for _, v := range r.got["right "+t.name][p.name] {
					right[i] += v
					tries[i]++
				}
			}
		}
		if tries[0] == 0 {
			continue
		}
		for i, n := range []string{"nine", "ten"} {
			r.got.add(n+" calls", p.name, calls[i])
			r.got.add(n+" tokens", p.name, words[i])
			r.got.add(n+" time", p.name, took[i])
			r.got.add(n+" right", p.name, 100*right[i]/tries[i])
		}
	}
}

// others gives the least of what the other peers took.
func (r *run) others(measure string) (float64, bool) {
	v, found := 0.0, false
	for _, p := range r.peers {
		if p.name == "baton" {
			continue
		}
		if m, ok := r.got.median(measure, p.name); ok && (!found || m < v) {
			v, found = m, true
		}
	}
	return v, found
}

// verdict gives Baton's ratios, its goal and whether that was reached.
func (r *run) verdict(w row) (toBest, toLimit, want, met string) {
	toBest, toLimit, want, met = "–", "–", "–", "–"
	own, ok := r.got.median(w.measure, "baton")
	if !ok {
		return toBest, toLimit, want, met
	}
	measured := map[string]float64{"": own}
	if v, ok := r.others(w.measure); ok && v > 0 {
		measured["best"] = own / v
		toBest = fmt.Sprintf("%.2f", own/v)
	}
	if v, ok := r.got.median(w.measure, limit); ok && v > 0 {
		measured["limit"] = own / v
		toLimit = fmt.Sprintf("%.2f", own/v)
	}
	if w.goal == nil {
		return toBest, toLimit, want, met
	}
	want = map[string]string{"": "%s", "best": "%s x best", "limit": "%s x limit"}[w.goal.to]
	want = "≤ " + fmt.Sprintf(want, thousands(w.goal.most, -1))
	if v, ok := measured[w.goal.to]; ok {
		met = "**missed**"
		if v <= w.goal.most {
			met = "met"
		}
	}
	return toBest, toLimit, want, met
}

// thousands writes a figure; digits below 0 are as many as it has.
func thousands(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	whole, rest, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	return whole
}

// report gives the tables of a run as Markdown.
func (r *run) report(begun time.Time, before string) string {
	r.sum()
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s with `go run ./build/bench%s`, %d repetitions (three at most of memory, sizes and tasks), on %s. Load average %s before and %s after.\n\n",
		begun.Format("2 January 2006"), commandLine(), r.reps, machine(), before, loadAverage())
	b.WriteString("| server | version |\n|---|---|\n")
	for _, p := range r.peers {
		fmt.Fprintf(&b, "| %s | %s |\n", p.title, p.version)
	}
	fmt.Fprintf(&b, "| all drive | %s |\n\n", firstLine(r.browser, "--version"))

	b.WriteString("| median of |")
	rule := "|---|"
	for _, p := range r.peers {
		b.WriteString(" " + p.title + " |")
		rule += "--:|"
	}
	b.WriteString(" limit | Baton / best | Baton / limit | goal | |\n" + rule + "--:|--:|--:|---|---|\n")
	for _, w := range table {
		if len(r.got[w.measure]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s |", w.label)
		for _, name := range append(names(r.peers), limit) {
			if v, ok := r.got.median(w.measure, name); ok {
				fmt.Fprintf(&b, " %s |", thousands(v, w.digits))
			} else {
				b.WriteString(" – |")
			}
		}
		toBest, toLimit, want, met := r.verdict(w)
		fmt.Fprintf(&b, " %s | %s | %s | %s |\n", toBest, toLimit, want, met)
	}
	if len(r.got["calls form"]) > 0 {
		b.WriteString("\nEach task: calls, tokens in and out, milliseconds, times done right.\n\n| task |")
		rule = "\n|---|"
		for _, p := range r.peers {
			b.WriteString(" " + p.title + " |")
			rule += "--:|"
		}
		b.WriteString(rule + "\n")
		for _, t := range tasks {
			fmt.Fprintf(&b, "| %s |", t.name)
			for _, p := range r.peers {
				calls, ok := r.got.median("calls "+t.name, p.name)
				if !ok {
					b.WriteString(" – |")
					continue
				}
				in, _ := r.got.median("in "+t.name, p.name)
				out, _ := r.got.median("out "+t.name, p.name)
				ms, _ := r.got.median("time "+t.name, p.name)
				right := 0.0
				for _, v := range r.got["right "+t.name][p.name] {
					right += v
				}
				fmt.Fprintf(&b, " %s · %s · %s · %.0f/%d |", thousands(calls, 0), thousands(in+out, 0), thousands(ms, 0), right, len(r.got["right "+t.name][p.name]))
			}
			b.WriteString("\n")
		}
	}
	if len(r.notes) > 0 {
		b.WriteString("\nNoted in this run:\n\n")
		for _, n := range r.notes {
			b.WriteString("- " + strings.Join(strings.Fields(strings.ReplaceAll(n, r.scratch, "…")), " ") + "\n")
		}
	}
	return b.String()
}

func names(peers []*peer) []string {
	out := make([]string, len(peers))
	for i, p := range peers {
		out[i] = p.name
	}
	return out
}

// commandLine gives this program's arguments as they are repeated: without the
// program's own file.
func commandLine() string {
	var b strings.Builder
	skip := false
	for _, a := range os.Args[1:] {
		switch {
		case skip:
			skip = false
		case a == "-baton" || a == "--baton":
			skip = true
		case a != "-v" && !strings.HasPrefix(a, "-baton="):
			b.WriteString(" " + a)
		}
	}
	return b.String()
}

func firstLine(name string, a ...string) string {
	out, err := exec.Command(name, a...).Output()
	if err != nil {
		return "?"
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return strings.TrimSpace(line)
}

// machine says what the computer is.
func machine() string {
	parts := []string{fmt.Sprintf("%d cores", runtime.NumCPU())}
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(b)) {
			if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
				parts[0] += " of " + strings.TrimSpace(v)
				break
			}
		}
	}
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		if f := strings.Fields(string(b)); len(f) > 1 {
			kb, _ := strconv.Atoi(f[1])
			parts = append(parts, fmt.Sprintf("%d GB", (kb+1<<19)>>20))
		}
	}
	system := runtime.GOOS
	if b, err := os.ReadFile("/etc/os-release"); err == nil {
		for line := range strings.Lines(string(b)) {
			if v, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
				system = strings.Trim(strings.TrimSpace(v), `"`)
			}
		}
	}
	return strings.Join(append(parts, system+", no GPU", "Node "+firstLine("node", "--version")), ", ")
}

func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "?"
	}
	return strings.Fields(string(b))[0]
}

// Marks of the part of a page that is replaced.
const (
	openMark  = "<!-- bench: what follows is written by go run ./build/bench -write -->"
	closeMark = "<!-- bench: end -->"
)

// publish puts a report between the marks of a page.
func publish(file, text string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(b), openMark)
	_, foot, also := strings.Cut(rest, closeMark)
	if !ok || !also {
		return errors.New(file + " has lost its marks " + openMark + " and " + closeMark)
	}
	next := file + ".new"
	if err := os.WriteFile(next, []byte(head+openMark+"\n\n"+text+"\n"+closeMark+foot), 0o644); err != nil {
		return err
	}
	return os.Rename(next, filepath.Clean(file))
}
