package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// whole gives a text that holds an element's reference.
func whole(pattern string) func(string) string {
	re := regexp.MustCompile(pattern)
	return func(text string) string {
		if re.MatchString(text) {
			return text
		}
		return ""
	}
}

// quoted is a value as JavaScript and JSON write it.
func quoted(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// root tells whether Chromium's sandbox cannot be used.
var root = os.Geteuid() == 0

func (r *run) baton() *peer {
	program, err := filepath.Abs(r.program)
	if err == nil {
		r.program = program
	}
	p := &peer{
		name: "baton", title: "Baton", joins: true, keeps: true,
		command: func(where, _ string) *exec.Cmd {
			return exec.Command(r.program, "mcp", "--headless", "--data-dir", where, "--chromium", r.browser)
		},
		outline:  whole(`(?m)^\s*- .*\[e\d+\]`),
		element:  `- %s "%s"[^\n]*?\[(e\d+)\]`,
		navigate: func(url string) []use { return calls("browser_navigate", args{"url": url}) },
		snapshot: func() []use { return calls("browser_snapshot", nil) },
		click:    func(ref, _ string) []use { return calls("browser_click", args{"target": ref}) },
		typing:   func(ref, _, text string) []use { return calls("browser_type", args{"target": ref, "text": text}) },
		wait:     func(text string) []use { return calls("browser_wait", args{"text": text}) },
		evaluate: func(js string) []use { return calls("browser_evaluate", args{"expression": js}) },
		open:     func(url string) []use { return calls("browser_open", args{"url": url}) },
		list:     func() []use { return calls("browser_tabs", nil) },
		scroll:   func() []use { return calls("browser_scroll", args{"to": "bottom"}) },
		query:    func(text string) []use { return calls("browser_snapshot", args{"query": text}) },
		read:     func(text string) []use { return calls("browser_read", args{"query": text}) },
	}
	p.fill = func(fields []field) []use {
		var lines []string
		for _, f := range fields {
			switch f.kind {
			case "select":
				lines = append(lines, fmt.Sprintf("await select(%s, [%s])", quoted(f.ref), quoted(f.value)))
			case "check":
				lines = append(lines, fmt.Sprintf("await check(%s, true)", quoted(f.ref)))
			default:
				lines = append(lines, fmt.Sprintf("await type(%s, %s)", quoted(f.ref), quoted(f.value)))
			}
		}
		return calls("browser_script", args{"code": strings.Join(lines, "; ")})
	}
	return p
}

// piecemeal fills a form with Baton's tools for fields, where there is none for
// scripts.
func piecemeal(fields []field) []use {
	var texts []args
	var rest []use
	for _, f := range fields {
		switch f.kind {
		case "select":
			rest = append(rest, use{"browser_select", args{"target": f.ref, "values": []string{f.value}}})
		case "check":
			rest = append(rest, use{"browser_check", args{"target": f.ref, "checked": true}})
		default:
			texts = append(texts, args{"target": f.ref, "text": f.value})
		}
	}
	return append(calls("browser_fill", args{"fields": texts}), rest...)
}

func (r *run) playwright() *peer {
	return &peer{
		name: "playwright", title: "Playwright MCP", npm: "@playwright/mcp@0.0.83",
		command: func(where, join string) *exec.Cmd {
			a := []string{filepath.Join(module("@playwright/mcp"), "cli.js"), "--output-dir", filepath.Join(where, "out")}
			if join != "" {
				a = append(a, "--cdp-endpoint", join)
			} else {
				a = append(a, "--headless", "--isolated", "--executable-path", r.browser, "--viewport-size", "1280,800")
				if root {
					a = append(a, "--no-sandbox")
				}
			}
			return exec.Command("node", a...)
		},
		outline: func(text string) string {
			i := strings.Index(text, "### Snapshot\n```")
			if i < 0 {
				return ""
			}
			return text[i:]
		},
		element:  `- %s "%s"[^\n]*?\[ref=(\w+)\]`,
		navigate: func(url string) []use { return calls("browser_navigate", args{"url": url}) },
		snapshot: func() []use { return calls("browser_snapshot", nil) },
		click:    func(ref, name string) []use { return calls("browser_click", args{"target": ref, "element": name}) },
		typing: func(ref, name, text string) []use {
			return calls("browser_type", args{"target": ref, "element": name, "text": text})
		},
		fill: func(fields []field) []use {
			types := map[string]string{"text": "textbox", "select": "combobox", "check": "checkbox"}
			var list []args
			for _, f := range fields {
				list = append(list, args{"name": f.name, "type": types[f.kind], "target": f.ref, "value": f.value})
			}
			return calls("browser_fill_form", args{"fields": list})
		},
		wait:     func(text string) []use { return calls("browser_wait_for", args{"text": text}) },
		evaluate: func(js string) []use { return calls("browser_evaluate", args{"function": "() => " + js}) },
		open:     func(url string) []use { return calls("browser_tabs", args{"action": "new", "url": url}) },
		list:     func() []use { return calls("browser_tabs", args{"action": "list"}) },
		scroll:   func() []use { return calls("browser_press_key", args{"key": "End"}) },
	}
}

func (r *run) devtools() *peer {
	// It numbers its pages from one and wants the number in every call.
	with := func(a args) args {
		if a == nil {
			a = args{}
		}
		a["pageId"] = 1
		return a
	}
	return &peer{
		name: "devtools", title: "chrome-devtools-mcp", npm: "chrome-devtools-mcp@1.11.0",
		command: func(_, join string) *exec.Cmd {
			a := []string{filepath.Join(module("chrome-devtools-mcp"), "build/src/bin/chrome-devtools-mcp.js"), "--no-usage-statistics", "--no-performance-crux"}
			if join != "" {
				a = append(a, "--browserUrl", join)
			} else {
				a = append(a, "--headless", "--isolated", "--executablePath", r.browser, "--viewport", "1280x800")
				if root {
					a = append(a, "--chromeArg=--no-sandbox")
				}
			}
			return exec.Command("node", a...)
		},
		outline:  whole(`uid=\d`),
		element:  `uid=(\S+) %s "%s"`,
		navigate: func(url string) []use { return calls("navigate_page", with(args{"type": "url", "url": url})) },
		snapshot: func() []use { return calls("take_snapshot", with(nil)) },
		click:    func(ref, _ string) []use { return calls("click", with(args{"uid": ref})) },
		typing:   func(ref, _, text string) []use { return calls("fill", with(args{"uid": ref, "value": text})) },
		fill: func(fields []field) []use {
			var list []args
			for _, f := range fields {
				list = append(list, args{"uid": f.ref, "value": f.value})
			}
			return calls("fill_form", with(args{"elements": list}))
		},
		wait:     func(text string) []use { return calls("wait_for", with(args{"text": []string{text}})) },
		evaluate: func(js string) []use { return calls("evaluate_script", with(args{"function": "() => " + js})) },
		open:     func(url string) []use { return calls("new_page", args{"url": url}) },
		list:     func() []use { return calls("list_pages", nil) },
		scroll:   func() []use { return calls("press_key", with(args{"key": "End"})) },
	}
}

func (r *run) agentBrowser() *peer {
	bin := func() string {
		arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
		p := filepath.Join(module("agent-browser"), "bin", "agent-browser-"+runtime.GOOS+"-"+arch)
		_ = os.Chmod(p, 0o755) // its install script does so
		return p
	}
	env := func(where string) []string {
		e := append(os.Environ(), "AGENT_BROWSER_EXECUTABLE_PATH="+r.browser, "AGENT_BROWSER_SESSION=bench", "AGENT_BROWSER_SOCKET_DIR="+where)
		if root {
			e = append(e, "AGENT_BROWSER_ARGS=--no-sandbox")
		}
		return e
	}
	const tool = "agent_browser_"
	return &peer{
		name: "agent-browser", title: "agent-browser", npm: "agent-browser@0.41.2", joins: true,
		command: func(where, _ string) *exec.Cmd {
			cmd := exec.Command(bin(), "mcp")
			cmd.Env = env(where)
			return cmd
		},
		end: func(where string) {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, bin(), "close")
			cmd.Env = env(where)
			_ = cmd.Run()
		},
		outline:  whole(`ref=e\d`),
		element:  `- %s "%s"[^\n]*?\[[^\]\n]*ref=(e\d+)`,
		navigate: func(url string) []use { return calls(tool+"open", args{"url": url}) },
		snapshot: func() []use { return calls(tool+"snapshot", nil) },
		click:    func(ref, _ string) []use { return calls(tool+"click", args{"selector": "@" + ref}) },
		typing:   func(ref, _, text string) []use { return calls(tool+"fill", args{"selector": "@" + ref, "text": text}) },
		fill: func(fields []field) []use {
			var list []use
			for _, f := range fields {
				switch f.kind {
				case "select":
					list = append(list, use{tool + "select", args{"selector": "@" + f.ref, "values": []string{f.value}}})
				case "check":
					list = append(list, use{tool + "check", args{"selector": "@" + f.ref}})
				default:
					list = append(list, use{tool + "fill", args{"selector": "@" + f.ref, "text": f.value}})
				}
			}
			return list
		},
		wait:     func(text string) []use { return calls(tool+"wait_for_text", args{"text": text, "waitTimeoutMs": 2000}) },
		evaluate: func(js string) []use { return calls(tool+"eval", args{"script": js}) },
		open:     func(url string) []use { return calls(tool+"tab_new", args{"url": url}) },
		list:     func() []use { return calls(tool+"tab_list", nil) },
		scroll:   func() []use { return calls(tool+"scroll", args{"direction": "down", "amount": 5000}) },
		read:     func(string) []use { return calls(tool+"read", nil) },
	}
}
