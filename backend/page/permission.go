package page

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
)

// Permissions are those that a person can give a site.
var Permissions = []string{"geolocation", "notifications", "clipboard-read", "camera", "microphone"}

// askedBinding is how the main document tells of a permission it was refused.
const askedBinding = "__batonAsked"

// asked notes a permission that the main document was refused.
func (p *Page) asked(e runtime.EventBindingCalled) {
	if !slices.Contains(Permissions, e.Payload) {
		return
	}
	p.mu.Lock()
	f := p.frames[p.root]
	here := f != nil && f.worldID == e.ExecutionContextID
	p.mu.Unlock()
	if !here {
		return
	}
	p.update(func(st *State) {
		list := strings.FieldsFunc(st.Asked, func(r rune) bool { return r == ',' })
		if !slices.Contains(list, e.Payload) {
			st.Asked = strings.Join(append(list, e.Payload), ",")
		}
	})
}

// Origin gives the origin of the page that the tab shows, "" where it has none.
func (p *Page) Origin() string {
	st, _ := p.State.Get()
	u, err := url.Parse(st.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || st.Failed != "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// cookies gives those that the page's own site gets.
func (p *Page) cookies(ctx context.Context) ([]*network.Cookie, error) {
	var r network.GetCookiesResult
	err := p.sess.Call(ctx, "Network.getCookies", network.GetCookiesParams{URLs: []string{p.Origin() + "/"}}, &r)
	return r.Cookies, err
}

// Cookies gives how many cookies the page's own site gets.
func (p *Page) Cookies(ctx context.Context) (int, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	if p.Origin() == "" {
		return 0, nil
	}
	list, err := p.cookies(ctx)
	return len(list), p.explain(ctx, err)
}

// ClearSite removes the site's cookies and what its pages have stored.
func (p *Page) ClearSite(ctx context.Context) error {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	origin := p.Origin()
	if origin == "" {
		return nil
	}
	list, err := p.cookies(ctx)
	if err != nil {
		return p.explain(ctx, err)
	}
	for _, c := range list {
		err := p.sess.Call(ctx, "Network.deleteCookies", network.DeleteCookiesParams{Name: c.Name, Domain: c.Domain, Path: c.Path, PartitionKey: c.PartitionKey}, nil)
		if err != nil {
			return p.explain(ctx, err)
		}
	}
	err = p.sess.Call(ctx, "Storage.clearDataForOrigin", storage.ClearDataForOriginParams{
		Origin: origin, StorageTypes: "local_storage,indexeddb,websql,cache_storage,service_workers,file_systems",
	}, nil)
	return p.explain(ctx, err)
}
