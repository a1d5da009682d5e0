package page

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	pointer "github.com/chromedp/cdproto/input"

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

// Upload gives files to a file input, or to what a button asks for when it is
// clicked. The paths were checked by the caller.
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
			if err := p.giveTo(ctx, k, r, files); err != nil {
				return Uploaded{}, k.blame(ctx, err)
			}
			out.Said = fmt.Sprintf("gave %s to %s", count(len(files), "file"), f.Desc)
			if err := k.finish(ctx, &out.Outcome, r); err != nil {
				return out, err
			}
			if now, err := inject.Field(ctx, r.world, r.ref); err == nil && now.Kind == "file" && now.Status == inject.StatusOK {
				out.Files = now.Files
			}
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
	err = pass(ctx, func() error { return nil })
	if err == nil {
		err = c.sess.Call(ctx, "DOM.setFileInputFiles", dom.SetFileInputFilesParams{Files: files, BackendNodeID: c.chooser.BackendNodeID}, nil)
	}
	if err != nil {
		return Uploaded{}, k.blame(ctx, err)
	}
	k.chooser = nil
	out.Files = p.filesOf(ctx, c)
	out.Said = fmt.Sprintf("gave %s to what %s asked for", count(len(files), "file"), s.desc())
	return out, k.finish(ctx, &out.Outcome, r)
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
func (p *Page) giveTo(ctx context.Context, k *act, r resolved, files []string) error {
	object, err := r.world.element(ctx, r.ref, "files")
	if err != nil {
		return err
	}
	if object == "" {
		return goneFault(r.ref)
	}
	defer func() {
		_, _ = r.world.sess.Send(context.WithoutCancel(ctx), "Runtime.releaseObjectGroup", runtime.ReleaseObjectGroupParams{ObjectGroup: "files"})
	}()
	return pass(ctx, func() error {
		k.began()
		return r.world.sess.Call(ctx, "DOM.setFileInputFiles", dom.SetFileInputFilesParams{Files: files, ObjectID: object}, nil)
	})
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
		FunctionDeclaration: "function(){return Array.from(this.files || [], f => f.name)}", ObjectID: o.Object.ObjectID, ReturnByValue: &yes,
	}, &r)
	return r.Result.Value
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
