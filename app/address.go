package app

import (
	"errors"
	"io/fs"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/preview"
)

var (
	schemeLike = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*):`)
	portLike   = regexp.MustCompile(`^:\d{1,5}$`)
	labelLike  = regexp.MustCompile(`^[\p{L}\p{N}_]([\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}])?$`)
	topLike    = regexp.MustCompile(`^(xn--[a-z0-9-]+|[\p{L}\p{M}]{2,})$`)
)

// refused are schemes that a browser knows and Baton does not open. Other words
// before a colon are taken as words.
var refused = map[string]bool{
	"file": true, "javascript": true, "vbscript": true, "view-source": true, "chrome": true, "devtools": true, "about": true, "blob": true,
	"filesystem": true, "ftp": true, "chrome-extension": true, "chrome-untrusted": true, "wails": true, "ws": true, "wss": true,
}

// resolve turns what a person typed into an address: an address as it is, a
// name of a site or computer with its scheme, anything else a search.
func resolve(typed, search string) (string, error) {
	text := strings.TrimSpace(typed)
	if text == "" {
		return "", fault.New(fault.BadArguments, "no address was given")
	}
	if name, fragment, ok := filePath(text); ok {
		return fileAddress(name, fragment)
	}
	if strings.HasPrefix(text, "?") {
		return searchFor(strings.TrimSpace(text[1:]), search), nil
	}
	if m := schemeLike.FindStringSubmatch(text); m != nil {
		scheme := strings.ToLower(m[1])
		switch {
		case scheme == "view-source":
			return sourceAddress(text[len(m[0]):])
		case scheme == "http" || scheme == "https":
			return webAddress(text)
		case strings.EqualFold(text, "about:blank"):
			return "about:blank", nil
		case scheme == "data":
			return text, nil
		case refused[scheme]:
			return "", fault.New(fault.SchemeNotAllowed, "Baton opens web addresses, not %s: ones", scheme)
		}
	}
	if u, ok := named(text); ok {
		return u, nil
	}
	return searchFor(text, search), nil
}

// filePath reads a path or a file: address as people write them: from the root,
// or from their home folder.
func filePath(text string) (name, fragment string, ok bool) {
	if name, fragment, ok = preview.Path(text); ok {
		return name, fragment, true
	}
	if rest, home := strings.CutPrefix(text, "~/"); home {
		dir, err := os.UserHomeDir()
		return filepath.Join(dir, rest), "", err == nil
	}
	return filepath.Clean(text), "", filepath.IsAbs(text) && !strings.HasPrefix(text, "//")
}

// fileAddress gives the address of a local file that is there and can be shown.
func fileAddress(name, fragment string) (string, error) {
	base := filepath.Base(name)
	st, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fault.New(fault.FileNotAllowed, "there is no file %s", name)
	case err != nil:
		return "", fault.New(fault.FileNotAllowed, "%s cannot be read", base).Because(err)
	case st.IsDir():
		return "", fault.New(fault.Unsupported, "%s is a folder; Baton shows HTML and PDF files", base)
	case preview.Kind(name) == "":
		return "", fault.New(fault.Unsupported, "Baton shows HTML and PDF files, and %s is neither", base)
	}
	u := preview.Address(name)
	if fragment != "" {
		u += "#" + fragment
	}
	return u, nil
}

func searchFor(text, search string) string {
	return strings.ReplaceAll(search, "%s", url.QueryEscape(text))
}

// webAddress checks an http or https address, whose slashes people forget.
func webAddress(text string) (string, error) {
	scheme, rest, _ := strings.Cut(text, ":")
	rest = strings.TrimLeft(rest, "/\\ ")
	u := strings.ToLower(scheme) + "://" + strings.ReplaceAll(rest, " ", "%20")
	parsed, err := url.Parse(u)
	if err != nil || parsed.Host == "" || strings.ContainsAny(parsed.Host, "%<>\"") {
		return "", fault.New(fault.BadArguments, "%q is no address", text)
	}
	return u, nil
}

// sourceAddress gives the address of the source of a web page.
func sourceAddress(of string) (string, error) {
	of = strings.TrimSpace(of)
	u, ok := named(of)
	if !ok {
		if m := schemeLike.FindStringSubmatch(of); m == nil || !strings.EqualFold(m[1], "http") && !strings.EqualFold(m[1], "https") {
			return "", fault.New(fault.SchemeNotAllowed, "Baton shows the source of web pages, and %q is none", of)
		}
		var err error
		if u, err = webAddress(of); err != nil {
			return "", err
		}
	}
	return page.SourceScheme + u, nil
}

// named gives the address of a name without a scheme: example.com/a b,
// localhost:3000, 192.168.1.1/admin, [::1]:80, printer/. What is no address in
// Chrome is none here: a name whose last part no registry has (node.js), a lone
// word with a path (and/or).
func named(text string) (string, bool) {
	host, rest := text, ""
	if i := strings.IndexAny(text, "/?#"); i >= 0 {
		host, rest = text[:i], text[i:]
	}
	if strings.IndexFunc(host, unicode.IsSpace) >= 0 {
		return "", false
	}
	rest = strings.ReplaceAll(rest, " ", "%20")
	user := ""
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		// With a password before it, it is an address; without, one of mail.
		if user, host = host[:i+1], host[i+1:]; !strings.Contains(user, ":") {
			return "", false
		}
	}
	name, port := host, ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		name, port = host[:i], host[i:]
		if !portLike.MatchString(port) {
			return "", false
		}
	}
	if name == "" {
		return "", false
	}
	plain := "http://" + user + host + rest
	if strings.HasPrefix(name, "[") {
		_, err := netip.ParseAddr(strings.Trim(name, "[]"))
		return plain, err == nil && strings.HasSuffix(name, "]")
	}
	if a, err := netip.ParseAddr(name); err == nil && a.Is4() {
		return plain, true
	}
	labels := strings.Split(strings.TrimSuffix(name, "."), ".")
	for _, l := range labels {
		if len(l) > 63 || !labelLike.MatchString(l) {
			return "", false
		}
	}
	last := strings.ToLower(labels[len(labels)-1])
	switch {
	case last == "localhost":
		return plain, true
	case len(labels) == 1:
		// A lone word is a search, unless it is written as an address.
		return plain, port != "" || strings.HasPrefix(rest, "/") && strings.HasSuffix(rest, "/")
	case slices.Contains(homeTops, last):
		return plain, true
	case port != "" && port != ":443":
		return plain, topLike.MatchString(last)
	}
	return "https://" + user + host + rest, registered(name)
}

// homeTops end names of computers near by, which seldom have a certificate.
var homeTops = []string{"local", "internal", "test", "lan", "home", "arpa"}

// registered tells whether a registry gives names below the end of this one;
// example and invalid are kept for texts.
func registered(name string) bool {
	ascii, err := idna.Lookup.ToASCII(strings.TrimSuffix(name, "."))
	if err != nil {
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(ascii)
	return icann || strings.Contains(suffix, ".") || suffix == "example" || suffix == "invalid"
}
