package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

// program is an agent program and how it is made to use Baton and the scripted
// model.
type program struct {
	name, npm, bin string
	speaks         func(*model) http.Handler
	set            func(home, endpoint string, server []string) (args, env []string, err error)
}

const task = "Order a large tea for Ana Ruiz, ana@example.com, in the tea shop, and tell me the order's number."

var programs = []program{
	{
		name: "claude-code", npm: "@anthropic-ai/claude-code", bin: "claude", speaks: messages,
		set: func(home, endpoint string, server []string) ([]string, []string, error) {
			file := filepath.Join(home, "mcp.json")
			err := write(file, map[string]any{"mcpServers": map[string]any{"baton": map[string]any{"command": server[0], "args": server[1:]}}})
			return []string{"-p", task, "--mcp-config", file, "--strict-mcp-config", "--allowedTools", "mcp__baton"},
				[]string{"ANTHROPIC_BASE_URL=" + endpoint, "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "ENABLE_TOOL_SEARCH=false"}, err
		},
	},
	{
		name: "gemini", npm: "@google/gemini-cli", bin: "gemini", speaks: contents,
		set: func(home, endpoint string, server []string) ([]string, []string, error) {
			err := write(filepath.Join(home, ".gemini", "settings.json"), map[string]any{
				"mcpServers": map[string]any{"baton": map[string]any{"command": server[0], "args": server[1:], "trust": true}},
				"security":   map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}, "folderTrust": map[string]any{"enabled": false}},
				"privacy":    map[string]any{"usageStatisticsEnabled": false},
				"general":    map[string]any{"disableAutoUpdate": true, "disableUpdateNag": true},
			})
			return []string{"-p", task, "--yolo", "-m", "gemini-2.5-flash"}, []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + endpoint}, err
		},
	},
}

// install gets the program from npm, once.
func (p program) install(ctx context.Context) (string, error) {
	folder, err := filepath.Abs(filepath.Join(".cache", "agents", p.name))
	if err != nil {
		return "", err
	}
	bin := filepath.Join(folder, "node_modules", ".bin", p.bin)
	if _, err := os.Stat(bin); err == nil {
		return bin, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", p.npm)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm could not install %s: %w\n%s", p.npm, err, out)
	}
	return bin, nil
}

func write(file string, v any) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o600)
}
