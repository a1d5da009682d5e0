package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	_ "image/gif"  // images that pages show
	_ "image/jpeg" // images that pages show
	"image/png"
	"net/url"
	"path"
	"strings"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/tab"
)

// Paper takes what a page shows out of it: as a PDF, or an image of it.
type Paper struct{ s *Server }

// Print saves the page as a PDF with the downloads.
func (p Paper) Print(ctx context.Context, a TabArgs) (SavedResult, error) {
	info, pg, err := p.page(a.Tab)
	if err != nil {
		return SavedResult{}, err
	}
	data, err := pg.Print(ctx)
	if err != nil {
		return SavedResult{}, err
	}
	name := info.Title
	if name == "" {
		name = "page"
	}
	return p.save(info, strings.NewReplacer("/", "-", "\\", "-").Replace(name)+".pdf", "", data)
}

// SaveImage saves an image of the page with the downloads.
func (p Paper) SaveImage(ctx context.Context, a ImageArgs) (SavedResult, error) {
	info, data, err := p.image(ctx, a)
	if err != nil {
		return SavedResult{}, err
	}
	name := "image"
	if u, err := url.Parse(a.URL); err == nil && u.Scheme != "data" && path.Base(u.Path) != "/" && path.Base(u.Path) != "." {
		name = path.Base(u.Path)
	}
	if path.Ext(name) == "" {
		kind, _, _ := strings.Cut(strings.TrimPrefix(imageAddress(data), "data:image/"), ";")
		name += "." + strings.TrimSuffix(strings.Replace(kind, "jpeg", "jpg", 1), "+xml")
	}
	return p.save(info, name, a.URL, data)
}

// CopyImage gives an image of the page for the clipboard, as PNG where Baton
// can read it.
func (p Paper) CopyImage(ctx context.Context, a ImageArgs) (ImageResult, error) {
	_, data, err := p.image(ctx, a)
	if err != nil {
		return ImageResult{}, err
	}
	const most = 40_000_000 // pixels
	if c, kind, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && kind != "png" && c.Width*c.Height <= most {
		if img, _, err := image.Decode(bytes.NewReader(data)); err == nil {
			var out bytes.Buffer
			if png.Encode(&out, img) == nil {
				data = out.Bytes()
			}
		}
	}
	return ImageResult{imageAddress(data)}, nil
}

// image gives an image that the page shows; anything else is refused.
func (p Paper) image(ctx context.Context, a ImageArgs) (tab.Info, []byte, error) {
	info, pg, err := p.page(a.Tab)
	if err != nil {
		return info, nil, err
	}
	var data []byte
	if rest, ok := strings.CutPrefix(a.URL, "data:"); ok {
		head, body, _ := strings.Cut(rest, ",")
		if data = []byte(body); strings.HasSuffix(head, ";base64") {
			data, err = base64.StdEncoding.DecodeString(body)
		} else if plain, bad := url.PathUnescape(body); bad == nil {
			data = []byte(plain)
		}
	} else {
		data, err = pg.Image(ctx, a.URL)
	}
	if err != nil {
		return info, nil, err
	}
	if imageAddress(data) == "" {
		return info, nil, fault.New(fault.Unsupported, "this is no image")
	}
	return info, data, nil
}

func (p Paper) page(id string) (tab.Info, *page.Page, error) {
	info, err := p.s.cfg.Tabs.Get(id, person)
	if err != nil {
		return info, nil, err
	}
	pg := p.s.cfg.Tabs.Live(id)
	if pg == nil {
		return info, nil, fault.New(fault.NoSuchTab, "tab %s is asleep", id)
	}
	return info, pg, nil
}

func (p Paper) save(info tab.Info, name, from string, data []byte) (SavedResult, error) {
	file, err := p.s.cfg.Downloads.Save(info.Profile, name, from, data)
	if err != nil {
		return SavedResult{}, fault.New(fault.Internal, "%s could not be saved in the download folder", name).Because(err)
	}
	return SavedResult{file}, nil
}
