package probe

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// What follows reads Linux's /proc; elsewhere it finds nothing.

func pids() []int {
	dirs, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var out []int
	for _, d := range dirs {
		if pid, err := strconv.Atoi(d.Name()); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

func read(pid int, name string) []byte {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/" + name)
	if err != nil {
		return nil
	}
	return b
}

// Tags says whether a process has a variable with this value.
func Tags(pid int, name, value string) bool {
	return bytes.Contains(append([]byte{0}, read(pid, "environ")...), []byte("\x00"+name+"="+value+"\x00"))
}

// Tagged gives the processes that have a variable with this value, but this one.
func Tagged(name, value string) []int {
	var out []int
	for _, pid := range pids() {
		if pid != os.Getpid() && Tags(pid, name, value) {
			out = append(out, pid)
		}
	}
	return out
}

// Descend gives processes and all that they started.
func Descend(from ...int) []int {
	children := map[int][]int{}
	for _, pid := range pids() {
		stat := string(read(pid, "stat"))
		f := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
		if len(f) > 1 {
			parent, _ := strconv.Atoi(f[1])
			children[parent] = append(children[parent], pid)
		}
	}
	seen := map[int]bool{}
	for queue := from; len(queue) > 0; queue = queue[1:] {
		if !seen[queue[0]] {
			seen[queue[0]] = true
			queue = append(queue, children[queue[0]]...)
		}
	}
	out := make([]int, 0, len(seen))
	for pid := range seen {
		out = append(out, pid)
	}
	return out
}

// Line gives a process's command line.
func Line(pid int) string { return strings.ReplaceAll(string(read(pid, "cmdline")), "\x00", " ") }

// Browser says whether a process is one of Chromium's.
func Browser(pid int) bool {
	program, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	if err != nil { // a sandboxed one tells nobody
		return strings.Contains(Line(pid), " --type=")
	}
	base := filepath.Base(program)
	return strings.HasPrefix(base, "chrom") || strings.HasPrefix(base, "msedge")
}

// PSS gives the memory of processes in MB: what they share is divided among
// those that share it.
func PSS(pids ...int) float64 {
	kb := 0
	for _, pid := range pids {
		for line := range strings.Lines(string(read(pid, "smaps_rollup"))) {
			if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
				n, _ := strconv.Atoi(strings.Fields(rest)[0])
				kb += n
			}
		}
	}
	return float64(kb) / 1024
}

// CPU gives the processor time that processes have used.
func CPU(pids ...int) time.Duration {
	var sum time.Duration
	for _, pid := range pids {
		tasks, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
		for _, t := range tasks {
			if f := strings.Fields(string(read(pid, "task/"+t.Name()+"/schedstat"))); len(f) > 0 {
				ns, _ := strconv.ParseInt(f[0], 10, 64)
				sum += time.Duration(ns)
			}
		}
	}
	return sum
}

// Files gives how many file descriptors a process has open.
func Files(pid int) int {
	list, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/fd")
	return len(list)
}

// Naming gives the processes whose command line holds a text, but this one.
func Naming(text string) []int {
	var out []int
	for _, pid := range pids() {
		if pid != os.Getpid() && strings.Contains(Line(pid), text) {
			out = append(out, pid)
		}
	}
	return out
}
