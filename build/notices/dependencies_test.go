package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Whatever is depended on directly has a row, with its version, on the page
// that says why.
func TestEveryDependencyIsExplained(t *testing.T) {
	page, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) == 6 {
			explained[strings.TrimSpace(cells[1])] = strings.TrimSpace(cells[2])
		}
	}
	used := npmDependencies(t)
	for path, version := range imported(t) {
		used[path] = version
	}
	for _, file := range []string{"../../go.mod", "../tools/go.mod"} {
		for path, version := range tools(t, file) {
			used[path] = version
		}
	}
	for name, version := range used {
		if explained[name] != version {
			t.Errorf("docs/dependencies.md should explain %s %s; it has version %q", name, version, explained[name])
		}
	}
	for name, version := range explained {
		if used[name] == "" && name != "module" && name != "package" && name != "tool" && strings.Trim(name, "-") != "" {
			t.Errorf("docs/dependencies.md explains %s %s, which nothing uses", name, version)
		}
	}
}

// imported gives the modules that Baton's own files import, on every system.
func imported(t *testing.T) map[string]string {
	modules := map[string]string{}
	for _, system := range []string{"linux", "windows", "darwin"} {
		list := func(args ...string) []string {
			cmd := exec.Command("go", append([]string{"list", "-tags", "webkit2_41 production desktop"}, args...)...)
			cmd.Dir = "../.."
			cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=1")
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("go list: %v", err)
			}
			return strings.Split(strings.TrimSpace(string(out)), "\n")
		}
		const each = `{{range .%s}}{{.}}{{"\n"}}{{end}}`
		format := strings.ReplaceAll(each, "%s", "Imports") + strings.ReplaceAll(each, "%s", "TestImports") + strings.ReplaceAll(each, "%s", "XTestImports")
		foreign := map[string]bool{}
		for _, path := range list("-f", format, "./...") {
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
				foreign[path] = true
			}
		}
		args := []string{"-f", `{{with .Module}}{{.Path}} {{.Version}}{{end}}`}
		for path := range foreign {
			args = append(args, path)
		}
		for _, line := range list(args...) {
			if path, version, ok := strings.Cut(line, " "); ok {
				modules[path] = version
			}
		}
	}
	return modules
}

// tools gives the modules that a go.mod's tools are in.
func tools(t *testing.T, file string) map[string]string {
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Require []struct{ Path, Version string }
		Tool    []struct{ Path string }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	in := map[string]string{}
	for _, r := range mod.Require {
		for _, tool := range mod.Tool {
			if strings.HasPrefix(tool.Path+"/", r.Path+"/") {
				in[r.Path] = r.Version
			}
		}
	}
	return in
}

func npmDependencies(t *testing.T) map[string]string {
	text, err := os.ReadFile("../../frontend/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var pkg struct{ Dependencies, DevDependencies map[string]string }
	if err := json.Unmarshal(text, &pkg); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, list := range []map[string]string{pkg.Dependencies, pkg.DevDependencies} {
		for name, version := range list {
			all[name] = version
		}
	}
	return all
}
