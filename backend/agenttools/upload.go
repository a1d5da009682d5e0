package agenttools

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/tool"
)

type uploadArgs struct {
	Tab     string      `json:"tab,omitempty"`
	Target  page.Target `json:"target"`
	Files   []string    `json:"files"`
	Timeout int         `json:"timeout_ms,omitempty"`
}

func browserUpload(ctx context.Context, t *Thread, a uploadArgs) (tool.Result, error) {
	if len(a.Files) == 0 {
		return tool.Result{}, fault.New(fault.BadArguments, "no file is given").Then("give files: a list of paths")
	}
	files, err := t.files(ctx, a.Files)
	if err != nil {
		return tool.Result{}, err
	}
	var got page.Uploaded
	return t.act(ctx, step{tab: a.Tab, what: "giving files to " + a.Target.String(), timeout: a.Timeout, wish: wish{verb: "upload", targets: []*page.Target{&a.Target}, files: files}}, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		var err error
		got, err = p.Upload(ctx, a.Target, files)
		return got.Outcome, err
	}, func(data map[string]any) []string {
		data["files"] = append([]string{}, got.Files...)
		if len(got.Files) == 0 {
			return []string{"The page has not kept the files where they can be seen; look at what it shows."}
		}
		return []string{"Files on the page: " + strings.Join(got.Files, ", ")}
	})
}

// files gives the real paths of files inside the folders that the agent was
// given; every other one is FileNotAllowed.
func (t *Thread) files(ctx context.Context, names []string) ([]string, error) {
	roots := t.folders(ctx)
	out := make([]string, len(names))
	for i, name := range names {
		real, err := permitted(name, roots, "")
		if err != nil {
			return nil, err
		}
		out[i] = real
	}
	return out, nil
}

// folders gives the real folders that the agent may take files from.
func (t *Thread) folders(ctx context.Context) []string {
	var roots []string
	if t.Files != nil {
		for _, f := range t.Files(ctx) {
			if real, err := filepath.EvalSymlinks(f); err == nil {
				roots = append(roots, real)
			}
		}
	}
	return roots
}

// permitted gives the real path of a file inside the folders. A relative name is
// looked for in near, when that is given, and then in the folders.
func permitted(name string, roots []string, near string) (string, error) {
	path := strings.TrimPrefix(name, "file://")
	if !filepath.IsAbs(path) {
		if len(roots) == 0 {
			return "", outside(name, roots)
		}
		rel := path
		path = filepath.Join(roots[0], rel)
		for _, dir := range append([]string{near}, roots...) {
			if _, err := os.Stat(filepath.Join(dir, rel)); dir != "" && err == nil {
				path = filepath.Join(dir, rel)
				break
			}
		}
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		if !inside(filepath.Clean(path), roots) {
			return "", outside(name, roots)
		}
		return "", fault.New(fault.FileNotAllowed, "there is no file %q", name).Then("give a path that exists")
	}
	if !inside(real, roots) {
		return "", outside(name, roots)
	}
	if st, err := os.Stat(real); err != nil || !st.Mode().IsRegular() {
		return "", fault.New(fault.FileNotAllowed, "%q is no plain file", name).Then("give a file")
	}
	return real, nil
}

func inside(path string, roots []string) bool {
	for _, r := range roots {
		if rel, err := filepath.Rel(r, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

func outside(name string, roots []string) error {
	f := fault.New(fault.FileNotAllowed, "%q is outside the folders that this agent was given", name)
	if len(roots) > 0 {
		f.Then("use a file inside %s", strings.Join(roots, ", "))
	} else {
		f.Then("tell the person to name a folder: baton mcp --files DIR")
	}
	return f
}
