package preview

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// The bounds of what is granted and looked through.
const (
	mostFiles  = 64
	mostLevels = 8
	mostSource = 1 << 20 // bytes of one file that is looked through
	mostRead   = 4 << 20 // bytes of all of them
	mostTold   = 40      // missing files that are told of
)

// source is a granted file that may name others.
type source struct {
	name  string
	level int
}

// find follows what the entry names in plain text: addresses in HTML, url() and
// @import in CSS, and imports written as literals in JavaScript. No code of a
// page runs for it, and what a script computes is not found. With grant, files
// below the folder are granted; without, the declared ones are only followed
// and the others told of.
func (g *Grant) find(ctx context.Context, grant bool) error {
	queue := []source{{g.entry, 0}}
	seen := map[string]bool{g.entry: true}
	read := 0
	for len(queue) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		at := queue[0]
		queue = queue[1:]
		size := g.files[at.name].info.Size()
		switch {
		case size > mostSource:
			g.miss(at.name, "it is too large to look for the files that it names")
			continue
		case read+int(size) > mostRead:
			g.miss(at.name, "too much was looked through already")
			continue
		}
		read += int(size)
		f, _, text, err := g.read(at.name)
		if err != nil {
			return refuse(at.name, err)
		}
		_ = f.Close()
		for _, ref := range references(at.name, text) {
			name, ok := local(path.Dir(at.name), ref)
			switch {
			case !ok || seen[name]:
				continue
			case name == "":
				g.miss(ref, "it is outside the folder of the opened file")
				continue
			}
			seen[name] = true
			if g.files[name] == nil {
				if !grant {
					if _, err := g.root.Stat(name); err == nil {
						g.miss(name, undeclared)
					} else {
						g.miss(name, "there is no such file")
					}
					continue
				}
				if len(g.files) >= mostFiles {
					g.miss(name, "more than 64 files are needed")
					continue
				}
				if err := g.add(name, looked(name)); err != nil {
					g.miss(name, why(err))
					continue
				}
			}
			if looked(name) {
				if at.level+1 >= mostLevels {
					g.miss(name, "it is nested too deep to look for the files that it names")
					continue
				}
				queue = append(queue, source{name, at.level + 1})
			}
		}
	}
	return nil
}

const undeclared = "it is not in assets"

// Undeclared lists the files that exist and would have to be declared.
func (g *Grant) Undeclared() []string {
	var out []string
	for _, m := range g.Blocked {
		if m.Why == undeclared {
			out = append(out, m.Name)
		}
	}
	return out
}

func why(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case errors.Is(err, errNoFile):
		return "it is no plain file"
	case strings.Contains(err.Error(), "escapes"):
		return "it leads out of the folder of the opened file"
	}
	return "it cannot be read"
}

func (g *Grant) miss(name, why string) {
	if r := []rune(name); len(r) > 200 {
		name = string(r[:200]) + "…"
	}
	m := Missing{name, why}
	if len(g.Blocked) < mostTold && !slices.Contains(g.Blocked, m) {
		g.Blocked = append(g.Blocked, m)
	}
}

// looked tells whether a file may name others.
func looked(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml", ".css", ".js", ".mjs":
		return true
	}
	return false
}

// local gives the name below the folder that a reference means: "" when it is
// outside. ok is false for what is no local file.
func local(dir, ref string) (name string, ok bool) {
	ref = strings.TrimSpace(ref)
	if ref == "" || ref[0] == '#' || strings.HasPrefix(ref, "//") {
		return "", false
	}
	u, err := url.Parse(ref)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return "", false
	}
	if strings.ContainsAny(u.Path, "\\\x00") {
		return "", true
	}
	if u.Path[0] == '/' {
		dir = "."
	}
	name = path.Join(dir, u.Path)
	if name == ".." || strings.HasPrefix(name, "../") || name == "." {
		return "", true
	}
	return name, true
}

// references lists what a file names, in order.
func references(name string, text []byte) []string {
	switch strings.ToLower(path.Ext(name)) {
	case ".css":
		return inCSS(string(text))
	case ".js", ".mjs":
		return inScript(string(text))
	}
	return inHTML(text)
}

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssURL     = regexp.MustCompile(`(?i)url\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]+))\s*\)|@import\s+(?:"([^"\n]*)"|'([^'\n]*)')`)
	imports    = regexp.MustCompile(`\b(?:import|export)\b[^'"();]*?\bfrom\s*(?:"([^"\n]+)"|'([^'\n]+)')|\bimport\s*\(?\s*(?:"([^"\n]+)"|'([^'\n]+)')`)
)

func inCSS(text string) []string {
	return parts(cssURL, cssComment.ReplaceAllString(text, ""))
}

// inScript lists literal imports of relative names; a bare name is a package,
// which no browser finds.
func inScript(text string) []string {
	return slices.DeleteFunc(parts(imports, text), func(s string) bool {
		return !strings.HasPrefix(s, "./") && !strings.HasPrefix(s, "../") && !strings.HasPrefix(s, "/")
	})
}

func parts(re *regexp.Regexp, text string) []string {
	var out []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		for _, s := range m[1:] {
			if s != "" {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// loads are the attributes whose address an element loads by itself.
var loads = map[string][]string{
	"script": {"src"}, "img": {"src", "srcset"}, "source": {"src", "srcset"}, "iframe": {"src"}, "frame": {"src"}, "embed": {"src"}, "object": {"data"},
	"video": {"src", "poster"}, "audio": {"src"}, "track": {"src"}, "input": {"src"}, "link": {"href", "imagesrcset"}, "body": {"background"},
	"image": {"href", "xlink:href"}, "use": {"href", "xlink:href"}, "feimage": {"href", "xlink:href"},
}

// linked are the kinds of link that a page loads.
var linked = regexp.MustCompile(`(?i)\b(stylesheet|icon|preload|modulepreload|manifest)\b`)

func inHTML(text []byte) []string {
	var out []string
	base := ""
	z := html.NewTokenizer(bytes.NewReader(text))
	z.SetMaxBuf(mostSource)
	in := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			for i, s := range out {
				out[i] = rebased(base, s)
			}
			return out
		case html.TextToken:
			switch in {
			case "style":
				out = append(out, inCSS(string(z.Raw()))...)
			case "script":
				out = append(out, inScript(string(z.Raw()))...)
			}
		case html.EndTagToken:
			in = ""
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			in = t.Data
			attrs := make(map[string]string, len(t.Attr))
			for _, a := range t.Attr {
				attrs[a.Key] = a.Val
			}
			if t.Data == "base" && base == "" {
				base = attrs["href"]
			}
			if s := attrs["style"]; s != "" {
				out = append(out, inCSS(s)...)
			}
			if t.Data == "link" && !linked.MatchString(attrs["rel"]) {
				continue
			}
			for _, name := range loads[t.Data] {
				switch v := attrs[name]; {
				case v == "":
				case strings.HasSuffix(name, "srcset"):
					out = append(out, inSrcset(v)...)
				default:
					out = append(out, v)
				}
			}
		}
	}
}

// rebased applies the page's base address.
func rebased(base, ref string) string {
	if base == "" {
		return ref
	}
	b, err := url.Parse(base)
	r, err2 := url.Parse(strings.TrimSpace(ref))
	switch {
	case err != nil || err2 != nil || r.Scheme != "" || r.Host != "" || strings.HasPrefix(r.Path, "/"):
		return ref
	case b.Scheme == "" && b.Host == "" && !strings.HasPrefix(b.Path, "/"):
		return b.Path[:strings.LastIndexByte(b.Path, '/')+1] + ref
	}
	return b.ResolveReference(r).String()
}

// inSrcset lists the addresses of "a.png 1x, b.png 2x".
func inSrcset(v string) []string {
	var out []string
	for _, part := range strings.Split(v, ",") {
		if f := strings.Fields(part); len(f) > 0 {
			out = append(out, f[0])
		}
	}
	return out
}
