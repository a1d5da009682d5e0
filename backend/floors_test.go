package backend_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floors is the house: a package imports Baton's packages of lower floors
// only. A new package gets a line here, on the lowest floor that it fits.
var floors = map[string]int{
	"fault": 0, "bus": 0, "redact": 0, "service": 0, "paths": 0,
	"store": 1, "cdp": 1, "outline": 1, "input": 1, "tool": 1, "link": 1,
	// inject speaks in outline's terms, and so stands just above it.
	"inject":   2,
	"chromium": 2, "settings": 2, "mcpserver": 2, "script": 2, "access": 2, "card": 2, "preview": 2, "upload": 2, "devserver": 2,
	"page":   3,
	"engine": 4, "consent": 4, "challenge": 4,
	"tab": 5, "download": 5, "liveview": 6, "handover": 6, "history": 6, "agenttools": 7,
	"": 8, // backend itself composes all
}

func TestPackagesImportOnlyLowerFloors(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports", "./...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	const prefix = "baton/backend"
	d := json.NewDecoder(strings.NewReader(string(out)))
	seen := 0
	for {
		var p struct {
			ImportPath  string
			Imports     []string
			TestImports []string
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, prefix), "/")
		if strings.Contains(name, "testdata") || strings.HasPrefix(name, "internal/") {
			continue
		}
		mine, ok := floors[name]
		if !ok {
			t.Errorf("package %s stands on no floor: add it to the table", p.ImportPath)
			continue
		}
		seen++
		for _, imp := range p.Imports {
			if !strings.HasPrefix(imp, "baton/") {
				continue
			}
			if !strings.HasPrefix(imp, prefix) {
				t.Errorf("%s imports %s, which is above it", p.ImportPath, imp)
				continue
			}
			other := strings.TrimPrefix(strings.TrimPrefix(imp, prefix), "/")
			if strings.HasPrefix(other, "internal/") {
				continue
			}
			if floor, ok := floors[other]; !ok || floor >= mine {
				t.Errorf("%s (floor %d) imports %s (floor %d): only lower floors may be imported", p.ImportPath, mine, imp, floors[other])
			}
		}
	}
	if seen < 15 {
		t.Fatalf("only %d packages were looked at", seen)
	}
}

// wails is imported by the window alone: everything else runs on a server.
func TestOnlyTheWindowImportsWails(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "baton/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if slices.ContainsFunc(words[1:], func(s string) bool { return strings.HasPrefix(s, "github.com/wailsapp/") }) {
			t.Errorf("%s imports Wails without the tag desktop", words[0])
		}
	}
}
