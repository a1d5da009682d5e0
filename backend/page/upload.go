package page

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	pointer "github.com/chromedp/cdproto/input"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/inject"
)

// chooserWait is how long a button may take to ask for files.
const chooserWait = 3 * time.Second

// Uploaded are the files as the page has them.
type Uploaded struct {
	Outcome
	Files []string
}

// Upload gives files, or one folder, to a file input, or to what a button asks
// for when it is clicked. The paths were checked by the caller.
func (p *Page) Upload(ctx context.Context, t Target, files []string) (Uploaded, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return Uploaded{}, err
	}
	defer cancel()
	u, err := p.upload(ctx, t, files)
	return u, p.explain(ctx, err)
}

func (p *Page) upload(ctx context.Context, t Target, files []string) (Uploaded, error) {
	r, err := p.resolve(ctx, t)
	if err != nil {
		return Uploaded{}, err
	}
	k, err := p.act(ctx, r.world)
	if err != nil {
		return Uploaded{}, err
	}
	defer k.end()
	var out Uploaded
	if r.ref > 0 {
		f, err := inject.Field(ctx, r.world, r.ref)
		if err != nil {
			return Uploaded{}, err
		}
		if f.Status == inject.StatusGone {
			return Uploaded{}, goneFault(r.ref)
		}
		if f.Kind == "file" {
			if err := p.giveTo(ctx, k, r, files, f.Desc); err != nil {
				return Uploaded{}, k.blame(ctx, err)
			}
			out.Said = fmt.Sprintf("gave %s to %s", given(files), f.Desc)
			if err := k.finish(ctx, &out.Outcome, r); err != nil {
				return out, err
			}
			out.Files = arrived(ctx, files, func() []string {
				now, err := inject.Field(ctx, r.world, r.ref)
				if err != nil || now.Kind != "file" || now.Status != inject.StatusOK {
					return nil
				}
				return now.Files
			})
			return out, nil
		}
	}
	s, err := p.aim(ctx, r, inject.AimArgs{})
	if err != nil {
		return Uploaded{}, err
	}
	if err := p.press(ctx, k, s, pointer.MouseButtonLeft, 1, 0); err != nil {
		return Uploaded{}, err
	}
	if err := k.forChooser(ctx, s.desc()); err != nil {
		return Uploaded{}, err
	}
	c := k.chooser
	if c.chooser.BackendNodeID == 0 {
		return Uploaded{}, fault.New(fault.Unsupported, "%s asks for files with showOpenFilePicker, which Baton cannot answer", s.desc()).
			Then("use another way of the page to add files, or ask the person to drop them onto it: request_takeover").WithEffect("yes")
	}
	if c.chooser.Mode == "selectSingle" && len(files) > 1 {
		return Uploaded{}, fault.New(fault.BadArguments, "%s takes one file, and %d are given", s.desc(), len(files)).Then("give one file").WithEffect("no")
	}
	node := dom.SetFileInputFilesParams{Files: files, BackendNodeID: c.chooser.BackendNodeID}
	if err := p.fits(ctx, c.sess, node, s.desc()); err != nil {
		return Uploaded{}, k.blame(ctx, err)
	}
	err = pass(ctx, func() error { return nil })
	if err == nil {
		err = c.sess.Call(ctx, "DOM.setFileInputFiles", node, nil)
	}
	if err != nil {
		return Uploaded{}, k.blame(ctx, err)
	}
	k.chooser = nil
	out.Files = arrived(ctx, files, func() []string { return p.filesOf(ctx, c) })
	out.Said = fmt.Sprintf("gave %s to what %s asked for", given(files), s.desc())
	return out, k.finish(ctx, &out.Outcome, r)
}

// folderWait is how long Chromium may take to read a folder for a page.
const folderWait = 3 * time.Second

// arrived reads which files a page has. Those of a folder come once Chromium has
// read it.
func arrived(ctx context.Context, given []string, read func() []string) []string {
	files := read()
	for end := time.Now().Add(folderWait); len(files) == 0 && isFolder(given) && time.Now().Before(end) && ctx.Err() == nil; files = read() {
		time.Sleep(25 * time.Millisecond)
	}
	return files
}

// forChooser waits until the page asks for files.
func (a *act) forChooser(ctx context.Context, what string) error {
	t := time.NewTimer(chooserWait)
	defer t.Stop()
	for a.chooser == nil {
		select {
		case s := <-a.w.c:
			a.take(s)
			if a.halted() {
				return fault.New(fault.NoChooser, "%s opened a dialog instead of asking for files", what).WithEffect("yes")
			}
		case <-t.C:
			return fault.New(fault.NoChooser, "%s was clicked and asked for no files", what).WithEffect("yes")
		case <-ctx.Done():
			return a.blame(ctx, context.Cause(ctx))
		}
	}
	return nil
}

// giveTo sets the files of an input element.
func (p *Page) giveTo(ctx context.Context, k *act, r resolved, files []string, desc string) error {
	group := newGroup("files")
	object, err := r.world.element(ctx, r.ref, group)
	if err != nil {
		return err
	}
	if object == "" {
		return goneFault(r.ref)
	}
	defer letGo(ctx, r.world.sess, group)
	node := dom.SetFileInputFilesParams{Files: files, ObjectID: object}
	if err := p.fits(ctx, r.world.sess, node, desc); err != nil {
		return err
	}
	return pass(ctx, func() error {
		k.began()
		return r.world.sess.Call(ctx, "DOM.setFileInputFiles", node, nil)
	})
}

// fits refuses files where a folder is asked for and a folder where files are,
// and readies the page for a folder.
func (p *Page) fits(ctx context.Context, s *cdp.Session, to dom.SetFileInputFilesParams, desc string) error {
	var d struct {
		Node struct {
			Attributes []string `json:"attributes"`
		} `json:"node"`
	}
	if err := s.Call(ctx, "DOM.describeNode", dom.DescribeNodeParams{BackendNodeID: to.BackendNodeID, ObjectID: to.ObjectID}, &d); err != nil {
		return err
	}
	wanted := false
	for i := 0; i+1 < len(d.Node.Attributes); i += 2 {
		wanted = wanted || strings.EqualFold(d.Node.Attributes[i], "webkitdirectory")
	}
	switch folder := isFolder(to.Files); {
	case wanted && !folder:
		return fault.New(fault.BadArguments, "%s asks for one whole folder", desc).Then("give files with the path of the folder alone").WithEffect("no")
	case !wanted && slices.ContainsFunc(to.Files, func(f string) bool { return isFolder([]string{f}) }):
		return fault.New(fault.BadArguments, "%s takes files, and a folder is given", desc).Then("give the files that are meant").WithEffect("no")
	case wanted:
		return p.forFolder(ctx)
	}
	return nil
}

// forFolder brings the page to the front: Chromium reads a folder for the tab in
// front alone.
func (p *Page) forFolder(ctx context.Context) error {
	return p.sess.Call(ctx, "Page.bringToFront", nil, nil)
}

// isFolder tells whether paths name one folder.
func isFolder(paths []string) bool {
	if len(paths) != 1 {
		return false
	}
	st, err := os.Stat(paths[0])
	return err == nil && st.IsDir()
}

// given names what an upload gave.
func given(paths []string) string {
	if isFolder(paths) {
		return "the folder " + filepath.Base(paths[0])
	}
	return count(len(paths), "file")
}

// filesOf reads which files an input that a chooser was for holds.
func (p *Page) filesOf(ctx context.Context, c *signal) []string {
	var o struct {
		Object runtime.RemoteObject `json:"object"`
	}
	if c.sess.Call(ctx, "DOM.resolveNode", map[string]any{"backendNodeId": c.chooser.BackendNodeID}, &o) != nil {
		return nil
	}
	yes := true
	var r struct {
		Result struct {
			Value []string `json:"value"`
		} `json:"result"`
	}
	_ = c.sess.Call(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
		FunctionDeclaration: "function(){return Array.from(this.files || [], f => f.webkitRelativePath || f.name)}", ObjectID: o.Object.ObjectID, ReturnByValue: &yes,
	}, &r)
	return r.Result.Value
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
