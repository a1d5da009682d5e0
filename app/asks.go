package app

import (
	"context"
	"encoding/base64"
	"strings"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/tab"
	"baton/backend/upload"
)

// Files answers pages that ask for files, and drops files onto them.
type Files struct{ s *Server }

// Begin opens a batch of files that are sent from another computer.
func (f Files) Begin(_ context.Context, a UploadArgs) (UploadResult, error) {
	if f.s.cfg.Uploads == nil {
		return UploadResult{}, fault.New(fault.Unsupported, "files are not taken here")
	}
	if _, err := f.s.cfg.Tabs.Get(a.Tab, person); err != nil {
		return UploadResult{}, err
	}
	files := make([]upload.File, len(a.Files))
	for i, x := range a.Files {
		files[i] = upload.File(x)
	}
	id, err := f.s.cfg.Uploads.Begin(a.Tab, files)
	return UploadResult{Upload: id}, err
}

// Part takes the next bytes of a file.
func (f Files) Part(_ context.Context, a PartArgs) error {
	data, err := base64.StdEncoding.DecodeString(a.Data)
	if err != nil {
		return fault.New(fault.BadArguments, "the part is no base64")
	}
	if f.s.cfg.Uploads == nil {
		return fault.New(fault.Unsupported, "files are not taken here")
	}
	return f.s.cfg.Uploads.Part(a.Upload, a.Index, data)
}

// Forget removes a batch that is not wanted any more.
func (f Files) Forget(_ context.Context, a DropUploadArgs) error {
	if f.s.cfg.Uploads != nil {
		f.s.cfg.Uploads.Drop(a.Upload)
	}
	return nil
}

// Choose gives a page the files that it asked for.
func (f Files) Choose(ctx context.Context, a ChooseArgs) error {
	paths, err := f.given(ctx, a.Tab, a.Upload, a.Paths)
	if err != nil {
		return err
	}
	return f.s.cfg.Tabs.Hand(ctx, a.Tab, func(ctx context.Context, p *page.Page) error { return p.ChooseFiles(ctx, a.ID, paths) })
}

// Cancel ends a page's request for files.
func (f Files) Cancel(_ context.Context, a AskArgs) error {
	return f.s.cfg.Tabs.CancelChooser(a.Tab, a.ID)
}

// Drop drops files onto a page.
func (f Files) Drop(ctx context.Context, a DropArgs) error {
	paths, err := f.given(ctx, a.Tab, a.Upload, a.Paths)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fault.New(fault.BadArguments, "no files are given")
	}
	return f.s.cfg.Tabs.Hand(ctx, a.Tab, func(ctx context.Context, p *page.Page) error { return p.DropFiles(ctx, a.X, a.Y, paths) })
}

// given gives the paths of files that were sent, or that the window names; none
// when neither is given.
func (f Files) given(ctx context.Context, tab, upload string, paths []string) ([]string, error) {
	switch {
	case upload != "" && len(paths) > 0:
		return nil, fault.New(fault.BadArguments, "both an upload and paths are given")
	case len(paths) > 0 && caller(ctx).shell != "window":
		return nil, fault.New(fault.Unsupported, "only the window gives files by their path")
	case upload != "":
		return f.taken(tab, upload)
	}
	return paths, nil
}

func (f Files) taken(tab, id string) ([]string, error) {
	if f.s.cfg.Uploads == nil {
		return nil, fault.New(fault.Unsupported, "files are not taken here")
	}
	return f.s.cfg.Uploads.Take(tab, id)
}

// SignIns answers sites and proxies that ask for a user name and password.
type SignIns struct{ s *Server }

// Answer gives them to Chromium. They are kept nowhere else.
func (v SignIns) Answer(ctx context.Context, a SignInArgs) error {
	return v.s.cfg.Tabs.Sign(ctx, a.Tab, a.ID, a.User, a.Password)
}

// Cancel goes on without.
func (v SignIns) Cancel(_ context.Context, a AskArgs) error {
	return v.s.cfg.Tabs.CancelSignIn(a.Tab, a.ID)
}

// Ask shows the question again after a load was refused.
func (v SignIns) Ask(_ context.Context, a TabArgs) error { return v.s.cfg.Tabs.AskSignIn(a.Tab) }

// asked tells what pages ask of the person, where that has changed.
func (t *teller) asked(c *conn, infos []tab.Info) {
	now := map[string]page.Asks{}
	for _, i := range infos {
		if i.Asks != (page.Asks{}) {
			now[i.ID] = i.Asks
			if t.asks[i.ID] != i.Asks {
				c.out.post(EventAsks, i.ID, wireAsks(i.ID, i.Asks))
			}
		}
	}
	for id := range t.asks {
		if _, still := now[id]; !still {
			c.out.post(EventAsks, id, Asks{Tab: id})
		}
	}
	t.asks = now
}

func wireAsks(id string, a page.Asks) Asks {
	w := Asks{Tab: id}
	if c := a.Chooser; c != nil {
		w.Chooser = &Chooser{ID: c.ID, Multiple: c.Multiple, Folder: c.Folder, Accept: append([]string{}, c.Accept...)}
	}
	if s := a.SignIn; s != nil {
		w.SignIn = &SignIn{
			ID: s.ID, Origin: s.Origin, Realm: s.Realm, Scheme: s.Scheme, Proxy: s.Proxy, Wrong: s.Wrong, For: s.For,
			Secure: strings.HasPrefix(s.Origin, "https://"),
		}
	}
	return w
}
