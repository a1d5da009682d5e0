// Command notices writes THIRD_PARTY_NOTICES.md: the licence of every Go module
// linked into Baton's programs and of every npm package whose code is in the
// user interface or in the page scripts. The task gen runs it; the modules must
// be downloaded and frontend/node_modules filled.
package main

import (
	"bytes"
	_ "embed" // a licence
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

const file = "THIRD_PARTY_NOTICES.md"

const head = `# What Baton ships that others wrote

Baton's own code is under the Apache License 2.0 (LICENSE). The programs also
hold the works below, each under its own licence. go tool task gen writes this
file.

The page scripts hold the injected runtime of Playwright (playwright-core),
taken from its npm package when Baton is built, and PDF.js (pdfjs-dist), which
reads the text of PDFs. Cookie banners are refused with
the help of autoconsent (@duckduckgo/autoconsent): its script and rules come
unchanged from its npm package of the version named below, which is their source
form under the Mozilla Public License 2.0; rules that only hide a banner are
left out. Chromium is a program of its own: a package that carries it carries
its licences too.
`

// jpeg is the licence of libjpeg-turbo, which the window on Linux links.
//
//go:embed libjpeg-turbo.txt
var jpeg string

// Npm packages whose code is shipped. What they depend on comes along, except
// for Svelte's, which are its compiler's: what its runtime needs is named; and
// for autoconsent's, which the script that is shipped does not hold.
var shipped = []string{
	"svelte", "clsx", "esm-env", "bits-ui", "@internationalized/date", "@lucide/svelte", "playwright-core", "pdfjs-dist",
	"@duckduckgo/autoconsent",
}

// A work is something under one licence text.
type work struct {
	name, version string
	texts         []string // its licence, then its notices
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("notices: ")
	goWorks, err := linked()
	if err != nil {
		log.Fatal(err)
	}
	npmWorks, err := bundled("frontend/node_modules")
	if err != nil {
		log.Fatal(err)
	}
	works := append(append(goWorks, npmWorks...), work{name: "libjpeg-turbo", texts: []string{jpeg}})
	if err := os.WriteFile(file, write(works), 0o644); err != nil {
		log.Fatal(err)
	}
}

// linked returns the Go modules of both programs on every system, and Go itself.
func linked() ([]work, error) {
	type module struct{ Path, Version, Dir string }
	found := map[string]module{}
	for _, system := range []string{"linux", "windows", "darwin"} {
		for _, tags := range []string{"", "webkit2_41 production desktop"} {
			cmd := exec.Command("go", "list", "-deps", "-tags", tags,
				"-f", `{{with .Module}}{{if not .Main}}{"Path":"{{.Path}}","Version":"{{.Version}}","Dir":{{printf "%q" .Dir}}}{{end}}{{end}}`, ".")
			cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=1")
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				return nil, fmt.Errorf("go list: %w", err)
			}
			for line := range bytes.Lines(out) {
				if len(bytes.TrimSpace(line)) == 0 {
					continue
				}
				var m module
				if err := json.Unmarshal(line, &m); err != nil {
					return nil, err
				}
				found[m.Path] = m
			}
		}
	}
	// The licence alone: its version is that of whoever builds.
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	goLicence, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	if err != nil {
		return nil, err
	}
	works := []work{{name: "The Go standard library", texts: []string{string(goLicence)}}}
	for _, m := range found {
		texts, err := licences(m.Dir)
		if err != nil {
			return nil, err
		}
		if len(texts) == 0 {
			texts = []string{"This version comes without a licence file."}
		}
		works = append(works, work{m.Path, m.Version, texts})
	}
	return works, nil
}

// bundled returns the shipped npm packages.
func bundled(modules string) ([]work, error) {
	var works []work
	seen := map[string]bool{}
	queue := append([]string(nil), shipped...)
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		dir := filepath.Join(modules, filepath.FromSlash(name))
		text, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			return nil, err
		}
		var p struct {
			Version, License string
			Dependencies     map[string]string
		}
		if err := json.Unmarshal(text, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		texts, err := licences(dir)
		if err != nil {
			return nil, err
		}
		if len(texts) == 0 {
			texts = []string{"This version comes without a licence file; its package.json says " + p.License + "."}
		}
		works = append(works, work{name, p.Version, texts})
		if name != "svelte" && name != "@duckduckgo/autoconsent" {
			for d := range p.Dependencies {
				if !strings.HasPrefix(d, "@types/") {
					queue = append(queue, d)
				}
			}
		}
	}
	return works, nil
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|third[-_]?party)`)

// licences returns the texts that come with a work, none when there are none.
func licences(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(text))
	}
	return texts, nil
}

// write puts works with the very same text under one heading.
func write(works []work) []byte {
	sort.Slice(works, func(i, j int) bool { return works[i].name < works[j].name })
	var order []string
	names := map[string][]string{}
	for _, w := range works {
		for _, text := range w.texts {
			text = tidy(text)
			if names[text] == nil {
				order = append(order, text)
			}
			names[text] = append(names[text], strings.TrimSpace(w.name+" "+w.version))
		}
	}
	out := bytes.NewBufferString(head)
	for _, text := range order {
		fmt.Fprintf(out, "\n## %s\n\n```text\n%s\n```\n", strings.Join(names[text], ", "), text)
	}
	return out.Bytes()
}

// tidy makes texts that differ only in line ends and outer blanks equal.
func tidy(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.ReplaceAll(strings.TrimRight(lines[i], " \t"), "```", "'''")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
