package page

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var schemes = regexp.MustCompile(`^[a-z][a-z0-9+.-]{0,63}$`)

// foreign gives the scheme of an address that no browser opens itself, such as
// "mailto:"; "" for what Chromium loads.
func foreign(url string) string {
	scheme, _, ok := strings.Cut(url, ":")
	switch scheme = strings.ToLower(scheme); scheme {
	case "http", "https", "about", "blob", "data", "file", "filesystem", "javascript", "view-source", "chrome", "chrome-error", "chrome-extension", "chrome-untrusted", "devtools", "ftp", "ws", "wss":
		return ""
	}
	if !ok || !schemes.MatchString(scheme) {
		return ""
	}
	return scheme + ":"
}

// unsafe are schemes that browsers open in no program (Chromium's
// external_protocol_handler.cc), and those that Windows was attacked through.
var unsafe = []string{
	"afp:", "disk:", "disks:", "hcp:", "ie.http:", "ms-help:", "ms-msdt:", "ms-officecmd:", "nntp:", "search:", "search-ms:", "shell:", "vbscript:", "vnd.ms.radio:",
}

// Opens tells whether the person may have another program open an address.
func Opens(url string) bool {
	scheme := foreign(url)
	return scheme != "" && !slices.Contains(unsafe, scheme) && len(url) <= addressMost && !strings.ContainsFunc(url, unicode.IsControl)
}

// addressMost bounds an address for another program, in bytes.
const addressMost = 4096

// wantsProgram hears that the page asked another program to open an address.
// What an agent's action led to is not told.
func (p *Page) wantsProgram(url string) {
	if p.agent() == "" && Opens(url) && p.programs.tell(p) {
		p.Programs.Publish(url)
	}
}

// noPasskeys tells the page's present document that there is no authenticator.
// Chromium would ask for a passkey in a dialog that no picture shows, and that
// keeps all input from the page. Another process forgets it.
func (p *Page) noPasskeys() {
	_, _ = p.sess.Send(context.Background(), "WebAuthn.enable", nil)
}
