package page

import (
	"context"

	"github.com/chromedp/cdproto/emulation"

	"baton/backend/fault"
)

// Environment is what a page is shown in. Zero values leave a part as it is.
type Environment struct {
	Width, Height int
	Device        string  // a name of Devices
	Orientation   string  // portrait or landscape
	Zoom          float64 // 0.25 to 5; 1 is none
	ColorScheme   string  // light, dark or system
	Fill          bool    // the size is the viewer's again; the rest stays
	Reset         bool    // first back to the way the page came
}

// Device is a preset of a viewport's size in portrait. It changes the layout,
// never what the browser says it is.
type Device struct {
	Name          string
	Width, Height int
}

// Devices are the presets.
var Devices = []Device{
	{"iPhone SE", 375, 667},
	{"iPhone 15", 393, 852},
	{"iPhone 15 Pro Max", 430, 932},
	{"iPhone 16 Pro", 402, 874},
	{"Pixel 7", 412, 915},
	{"Pixel 9", 412, 924},
	{"Galaxy S8+", 360, 740},
	{"Galaxy S24", 360, 780},
	{"Galaxy Z Fold 5", 344, 882},
	{"iPad Mini", 768, 1024},
	{"iPad Air", 820, 1180},
	{"iPad Pro 11", 834, 1194},
	{"iPad Pro 13", 1032, 1376},
	{"Surface Pro 7", 912, 1368},
	{"Surface Duo", 540, 720},
	{"Galaxy Tab S9", 800, 1280},
	{"Nest Hub", 600, 1024},
	{"Laptop", 800, 1280},
	{"Desktop", 1080, 1920},
}

// shown is the environment in force; guarded by Page.mu.
type shown struct {
	device string
	zoom   float64
	scheme string
	fixed  bool // a size was asked for; it outranks a viewer's
}

// InForce tells the environment that a page is shown in.
type InForce struct {
	Width, Height int
	Device        string
	Orientation   string
	Zoom          float64
	ColorScheme   string
	Fixed         bool // the size outranks a viewer's
}

// SetEnvironment changes what the page is shown in and tells what is in force.
func (p *Page) SetEnvironment(ctx context.Context, e Environment) (InForce, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	p.mu.Lock()
	s, size := p.shown, p.size
	p.mu.Unlock()
	if e.Reset {
		s, size.Width, size.Height = shown{}, p.cfg.Width, p.cfg.Height
	}
	if e.Fill {
		s.device, s.fixed = "", false
	}
	if err := s.change(e, &size); err != nil {
		return InForce{}, err
	}
	p.mu.Lock()
	p.shown = s
	p.size.Width, p.size.Height = size.Width, size.Height
	p.mu.Unlock()
	if err := p.measure(ctx); err != nil {
		return InForce{}, p.explain(ctx, err)
	}
	value := s.scheme
	if value == "system" {
		value = ""
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}}
	if err := p.sess.Call(ctx, "Emulation.setEmulatedMedia", media, nil); err != nil {
		return InForce{}, p.explain(ctx, err)
	}
	now := p.InForce()
	p.update(func(st *State) { st.Shown = now })
	return now, nil
}

// change takes over what e asks for.
func (s *shown) change(e Environment, size *Size) error {
	for _, n := range []int{e.Width, e.Height} {
		if n != 0 && (n < 100 || n > 10_000) {
			return fault.New(fault.BadArguments, "a side of %d pixels is out of range", n).Then("use 100 to 10000")
		}
	}
	if e.Device != "" {
		d, ok := device(e.Device)
		if !ok {
			f := fault.New(fault.BadArguments, "there is no device %q", e.Device)
			names := ""
			for i, d := range Devices {
				if i > 0 {
					names += ", "
				}
				names += d.Name
			}
			return f.Then("use one of %s", names)
		}
		s.device, size.Width, size.Height, s.fixed = d.Name, d.Width, d.Height, true
	}
	if e.Width != 0 || e.Height != 0 {
		s.device, s.fixed = "", true
		if e.Width != 0 {
			size.Width = e.Width
		}
		if e.Height != 0 {
			size.Height = e.Height
		}
	}
	switch e.Orientation {
	case "":
	case "portrait", "landscape":
		if (e.Orientation == "portrait") != (size.Height >= size.Width) {
			size.Width, size.Height = size.Height, size.Width
		}
		s.fixed = true
	default:
		return fault.New(fault.BadArguments, "there is no orientation %q", e.Orientation).Then("use portrait or landscape")
	}
	if e.Zoom != 0 {
		if e.Zoom < 0.25 || e.Zoom > 5 {
			return fault.New(fault.BadArguments, "a zoom of %g is out of range", e.Zoom).Then("use 0.25 to 5")
		}
		s.zoom = e.Zoom
	}
	switch e.ColorScheme {
	case "":
	case "light", "dark", "system":
		s.scheme = e.ColorScheme
	default:
		return fault.New(fault.BadArguments, "there is no color scheme %q", e.ColorScheme).Then("use light, dark or system")
	}
	return nil
}

func device(name string) (Device, bool) {
	want := plainName(name)
	for _, d := range Devices {
		if plainName(d.Name) == want {
			return d, true
		}
	}
	return Device{}, false
}

// plainName is a device's name in lower-case letters, digits and plus signs.
func plainName(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		switch {
		case r >= 'A' && r <= 'Z':
			out = append(out, r+'a'-'A')
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '+':
			out = append(out, r)
		}
	}
	return string(out)
}

// InForce tells the environment that the page is shown in.
func (p *Page) InForce() InForce {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.shown
	f := InForce{Width: p.size.Width, Height: p.size.Height, Device: s.device, Zoom: s.zoom, ColorScheme: s.scheme, Fixed: s.fixed}
	if f.Zoom == 0 {
		f.Zoom = 1
	}
	if f.ColorScheme == "" {
		f.ColorScheme = "system"
	}
	f.Orientation = "portrait"
	if f.Width > f.Height {
		f.Orientation = "landscape"
	}
	return f
}
