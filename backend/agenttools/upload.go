package agenttools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/backend/access"
	"baton/backend/card"
	"baton/backend/fault"
	"baton/backend/mcpserver"
	"baton/backend/page"
	"baton/backend/tool"
	"baton/backend/upload"
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
	wait, err := within(a.Timeout, actWait, mostWait)
	if err != nil {
		return tool.Result{}, err
	}
	roots := t.folders(ctx)
	named, err := find(a.Files, roots)
	if err != nil {
		return tool.Result{}, err
	}
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	files, err := t.letHave(ctx, id, "give the file", roots, named)
	if err != nil {
		return tool.Result{}, err
	}
	held, err := t.hold(ctx, id, wait, roots, named)
	if err != nil {
		return tool.Result{}, err
	}
	var got page.Uploaded
	res, err := t.act(ctx, step{tab: id, what: "giving files to " + a.Target.String(), timeout: a.Timeout, wish: wish{verb: "upload", targets: []*page.Target{&a.Target}, files: files}}, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		var err error
		got, err = p.Upload(ctx, a.Target, held.Paths())
		return got.Outcome, err
	}, func(data map[string]any) []string {
		if len(got.Files) == 0 {
			data["files"] = []string{}
			return []string{"The page has not kept the files where they can be seen; look at what it shows."}
		}
		shown, more := got.Files, ""
		if n := len(shown) - toldFiles; n > 0 {
			shown, more = shown[:toldFiles], fmt.Sprintf(" and %d more", n)
			data["more"] = n
		}
		data["files"] = slices.Clone(shown)
		return []string{"Files on the page: " + strings.Join(shown, ", ") + more}
	})
	if err != nil && fault.From(err).Effect != "yes" && fault.From(err).Effect != "unknown" {
		held.Drop() // the page has none of them
	}
	return res, err
}

// toldFiles bounds how many files a result names.
const toldFiles = 40

// find finds the files that an agent named. One folder inside its folders may
// stand for all that it holds.
func find(names, roots []string) ([]found, error) {
	files := make([]found, len(names))
	for i, name := range names {
		var err error
		files[i], err = permitted(name, roots, "")
		if err != nil && !(files[i].folder && len(names) == 1) {
			return nil, err
		}
	}
	return files, nil
}

// hold pins files that the agent may have for a page of a tab. wait bounds what
// has to be copied.
func (t *Thread) hold(ctx context.Context, id string, wait time.Duration, roots []string, files []found) (*upload.Held, error) {
	held, err := t.deps.Uploads.Hold(id)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for _, f := range files {
		if err := f.pin(ctx, held, roots); err != nil {
			held.Drop()
			if errors.Is(err, context.DeadlineExceeded) {
				err = fault.New(fault.Timeout, "%q could not be copied for the page within %s", f.name, wait).WithEffect("no").Then("give timeout_ms, at most %d", mostWait.Milliseconds())
			}
			return nil, err
		}
	}
	return held, nil
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

// found is a file that an agent named.
type found struct {
	name    string // as it wrote it
	path    string // absolute, links followed where it exists
	outside bool   // of the folders; nothing more is known of it
	folder  bool   // inside them, and a folder
}

// permitted gives the real path of a file. A relative name is looked for in
// near, when that is given, and then in the folders. One outside them needs the
// person's leave, whether it exists or not.
func permitted(name string, roots []string, near string) (found, error) {
	path := strings.TrimPrefix(name, "file://")
	if !filepath.IsAbs(path) {
		folders := roots
		if near != "" {
			folders = append([]string{near}, roots...)
		}
		if len(folders) == 0 {
			return found{}, outside(name, roots)
		}
		at := slices.IndexFunc(folders, func(dir string) bool {
			_, err := os.Stat(filepath.Join(dir, path))
			return err == nil
		})
		path = filepath.Join(folders[max(at, 0)], path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		if real = filepath.Clean(path); inside(real, roots) {
			return found{}, fault.New(fault.FileNotAllowed, "there is no file %q", name).Then("give a path that exists")
		}
	}
	f := found{name: name, path: real, outside: !inside(real, roots)}
	if f.outside {
		return f, nil
	}
	if st, err := os.Lstat(f.path); err == nil {
		f.folder = st.IsDir()
	}
	return f, f.plain()
}

// plain says whether it is a file and none that links elsewhere. What is true
// now may not be so when it is opened: [found.open] is sure.
func (f found) plain() error {
	if st, err := os.Lstat(f.path); err != nil {
		return fault.New(fault.FileNotAllowed, "there is no file %q", f.name).Then("give a path that exists")
	} else if !st.Mode().IsRegular() {
		return fault.New(fault.FileNotAllowed, "%q is no plain file", f.name).Then("give a file")
	}
	return nil
}

// fileWait is how long a card for files waits for the person.
const fileWait = 55 * time.Second

// letHave gives the paths of files once the agent may have them all: those
// outside its folders when the person says so on a card that names each of
// them, for this call alone, whatever access the agent has.
func (t *Thread) letHave(ctx context.Context, id, verb string, roots []string, files []found) ([]string, error) {
	paths := make([]string, len(files))
	var far []found
	for i, f := range files {
		paths[i] = f.path
		if f.outside {
			far = append(far, f)
		}
	}
	if len(far) == 0 {
		return paths, nil
	}
	deck := t.deps.Cards
	if deck == nil || !deck.Attended() || t.deps.rule(t.agent).Bounded {
		return nil, outside(far[0].name, roots)
	}
	c := card.Card{Kind: card.File, Agent: t.agent, Tab: id, Until: time.Now().Add(fileWait), Action: card.Action{Verb: verb}}
	for _, f := range far {
		c.Action.Files = append(c.Action.Files, f.path)
	}
	mcpserver.Progress(ctx, "waiting for the person's leave")
	outcome, err := deck.Ask(ctx, c, func() bool { return t.deps.rule(t.agent).Mode != access.Off })
	switch {
	case errors.Is(err, card.ErrNobody):
		return nil, outside(far[0].name, roots)
	case err != nil && ctx.Err() != nil:
		return nil, fault.New(fault.Cancelled, "the call was cancelled while it waited for the person's leave").WithEffect("no")
	case outcome == card.Declined:
		return nil, fault.New(fault.ApprovalDeclined, "the person does not let this agent have %q", far[0].name).WithEffect("no")
	case outcome != card.Approved:
		return nil, fault.New(fault.ApprovalExpired, "nobody said within %s whether this agent may have %q", fileWait, far[0].name).WithEffect("no").
			Then("ask the person in the conversation, then try again")
	}
	for _, f := range far {
		// What the person was shown is what is taken, not what lies there now.
		if real, err := filepath.EvalSymlinks(f.path); err == nil && real != f.path {
			return nil, fault.New(fault.FileNotAllowed, "%q is another file now", f.name).Then("try again")
		}
		if err := f.plain(); err != nil {
			return nil, err
		}
	}
	return paths, nil
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
		f.Then("use a file inside %s; others need the person at Baton's window, who is asked for each", strings.Join(roots, ", "))
	} else {
		f.Then("tell the person to name a folder: baton mcp --files DIR")
	}
	return f
}
