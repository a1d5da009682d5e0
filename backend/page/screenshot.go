package page

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"slices"

	cdppage "github.com/chromedp/cdproto/page"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/fault"
	"baton/backend/inject"
)

const (
	// longestSide bounds a picture for an agent, in pixels.
	longestSide = 1568
	// jpegQuality is that of pictures for agents.
	jpegQuality = 80
	// tallest bounds how much of a long page one picture shows, in CSS pixels.
	tallest = 16_000
)

// ShotArgs say what to take a picture of; the viewport by default.
type ShotArgs struct {
	Target   *Target
	FullPage bool
	PNG      bool
}

// Shot is a picture in CSS pixels, or smaller when it would be too large.
type Shot struct {
	Data          []byte
	MIME          string
	Width, Height int     // pixels of the picture
	Scale         float64 // picture pixels a CSS pixel
	X, Y          float64 // where its corner lies in the viewport, CSS pixels
	Desc          string  // the element shown
	Masked        int     // how many secret fields are painted over
	Title, URL    string
}

var gray = color.RGBA{R: 0x9a, G: 0x9a, B: 0x9a, A: 0xff}

// Screenshot takes a picture for an agent, with secret fields painted gray. It
// is refused where a field could show: in a frame that cannot be looked into, on
// a page that is pinch-zoomed, or that moved while the picture was taken.
func (p *Page) Screenshot(ctx context.Context, a ShotArgs) (Shot, error) {
	ctx, cancel, err := p.reading(ctx)
	if err != nil {
		return Shot{}, err
	}
	defer cancel()
	s, err := p.shoot(ctx, a)
	return s, p.explain(ctx, err)
}

func (p *Page) shoot(ctx context.Context, a ShotArgs) (Shot, error) {
	w, err := p.mainWorld(ctx)
	if err != nil {
		return Shot{}, err
	}
	shot := Shot{MIME: "image/jpeg"}
	if a.PNG {
		shot.MIME = "image/png"
	}
	var el *inject.Box
	if a.Target != nil {
		r, err := p.resolve(ctx, *a.Target)
		if err != nil {
			return Shot{}, err
		}
		s, err := p.aim(ctx, r, inject.AimArgs{Hover: true, Center: true})
		if err != nil && !fault.Is(err, fault.TargetCovered) {
			return Shot{}, err
		}
		if r.ref == 0 {
			return Shot{}, fault.New(fault.BadArguments, "a point names nothing to take a picture of").Then("give a ref, or no target")
		}
		b := s.aim.Box
		if r.world.frame != p.root {
			if b, err = p.boxOf(ctx, r.world.frame, b); err != nil {
				return Shot{}, err
			}
		}
		el, shot.Desc = &b, s.aim.Desc
	}
	for try := 0; ; try++ {
		facts, err := inject.Info(ctx, w)
		if err != nil {
			return Shot{}, err
		}
		clip := inject.Box{W: facts.InnerWidth, H: facts.InnerHeight}
		switch {
		case el != nil:
			clip = *el
		case a.FullPage:
			clip = inject.Box{X: -facts.ScrollX, Y: -facts.ScrollY, W: max(facts.ScrollWidth, facts.InnerWidth), H: min(max(facts.ScrollHeight, facts.InnerHeight), tallest)}
		}
		if clip.W < 1 || clip.H < 1 {
			return Shot{}, fault.New(fault.TargetHidden, "%s has no visible box", shot.Desc)
		}
		boxes, err := p.secretBoxes(ctx)
		if err != nil {
			return Shot{}, err
		}
		if len(boxes) > 0 && math.Abs(facts.VisualScale-1) > 0.01 {
			return Shot{}, fault.New(fault.SecretField, "the page is pinch-zoomed and shows a secret field, so no picture is given").Then("use browser_snapshot")
		}
		img, scale, err := p.cut(ctx, clip, facts, a.PNG || len(boxes) > 0)
		if err != nil {
			return Shot{}, err
		}
		again, err := p.secretBoxes(ctx)
		if err != nil {
			return Shot{}, err
		}
		if !slices.Equal(boxes, again) {
			if try < 2 {
				continue
			}
			return Shot{}, fault.New(fault.SecretField, "a secret field moved while the picture was taken, so none is given").Then("use browser_snapshot, or try again once the page stands still")
		}
		st, _ := p.State.Get()
		shot.Scale, shot.X, shot.Y, shot.Title, shot.URL = scale, clip.X, clip.Y, facts.Title, st.URL
		return shot, shot.finish(img, boxes, clip, a.PNG)
	}
}

// secretBoxes gives the visible boxes of secret fields in the main viewport.
func (p *Page) secretBoxes(ctx context.Context) ([]inject.Box, error) {
	w, err := p.mainWorld(ctx)
	if err != nil {
		return nil, err
	}
	out, err := inject.SecretBoxes(ctx, w)
	if err != nil {
		return nil, err
	}
	for _, id := range p.frameIDs() {
		boxes, err := p.frameBoxes(ctx, id)
		if err != nil {
			if vanished(err) || fault.Is(err, fault.TargetHidden) {
				continue
			}
			return nil, fault.New(fault.SecretField, "a frame of the page cannot be looked into for secret fields, so no picture is given").
				Because(err).Then("use browser_snapshot, or try again")
		}
		out = append(out, boxes...)
	}
	slices.SortFunc(out, func(a, b inject.Box) int {
		if a.Y != b.Y {
			return int(math.Copysign(1, a.Y-b.Y))
		}
		return int(a.X - b.X)
	})
	return out, nil
}

func (p *Page) frameBoxes(ctx context.Context, id cdproto.FrameID) ([]inject.Box, error) {
	ctx, cancel := soon(ctx, frameWait)
	defer cancel()
	w, err := p.world(ctx, id)
	if err != nil {
		return nil, err
	}
	list, err := inject.SecretBoxes(ctx, w)
	if err != nil {
		return nil, err
	}
	for i, b := range list {
		if list[i], err = p.boxOf(ctx, id, b); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// cut takes the picture of a box of the viewport, which may reach beyond it.
func (p *Page) cut(ctx context.Context, clip inject.Box, facts inject.Facts, lossless bool) ([]byte, float64, error) {
	scale := min(1, longestSide/max(clip.W, clip.H))
	ratio := max(facts.PixelRatio, 0.1)
	beyond := clip.X < 0 || clip.Y < 0 || clip.X+clip.W > facts.InnerWidth || clip.Y+clip.H > facts.InnerHeight
	fast := true
	q := int64(jpegQuality)
	params := cdppage.CaptureScreenshotParams{
		Format: cdppage.CaptureScreenshotFormatJpeg, Quality: &q, OptimizeForSpeed: &fast, CaptureBeyondViewport: &beyond,
		Clip: &cdppage.Viewport{X: clip.X + facts.ScrollX, Y: clip.Y + facts.ScrollY, Width: clip.W, Height: clip.H, Scale: scale / ratio},
	}
	if lossless {
		params.Format, params.Quality = cdppage.CaptureScreenshotFormatPng, nil
	}
	b, err := p.capture(ctx, params)
	return b, scale, err
}

// finish paints over the secrets and encodes the picture.
func (s *Shot) finish(raw []byte, boxes []inject.Box, clip inject.Box, asPNG bool) error {
	var seen []image.Rectangle
	for _, b := range boxes {
		r := image.Rect(
			int(math.Floor((b.X-clip.X)*s.Scale))-1, int(math.Floor((b.Y-clip.Y)*s.Scale))-1,
			int(math.Ceil((b.X+b.W-clip.X)*s.Scale))+1, int(math.Ceil((b.Y+b.H-clip.Y)*s.Scale))+1,
		)
		if r.Overlaps(image.Rect(0, 0, int(clip.W*s.Scale)+1, int(clip.H*s.Scale)+1)) {
			seen = append(seen, r)
		}
	}
	s.Masked = len(seen)
	if len(boxes) == 0 {
		c, _, err := image.DecodeConfig(bytes.NewReader(raw))
		s.Data, s.Width, s.Height = raw, c.Width, c.Height
		return err
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	s.Width, s.Height = img.Bounds().Dx(), img.Bounds().Dy()
	canvas := image.NewRGBA(img.Bounds())
	draw.Draw(canvas, img.Bounds(), img, img.Bounds().Min, draw.Src)
	for _, r := range seen {
		draw.Draw(canvas, r, image.NewUniform(gray), image.Point{}, draw.Src)
	}
	var b bytes.Buffer
	if asPNG {
		err = png.Encode(&b, canvas)
	} else {
		err = jpeg.Encode(&b, canvas, &jpeg.Options{Quality: jpegQuality})
	}
	s.Data = b.Bytes()
	return err
}
