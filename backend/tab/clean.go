package tab

import (
	"net/url"
	"strings"

	"baton/backend/page"
	"baton/backend/redact"
)

// clean gives an address as it is saved: without user info, and without the
// credentials that a sign-in's callback carries (T5).
func clean(raw string) string {
	if strings.HasPrefix(raw, "data:") || strings.HasPrefix(raw, "blob:") {
		return "about:blank"
	}
	if rest, ok := strings.CutPrefix(raw, page.SourceScheme); ok {
		return page.SourceScheme + clean(rest)
	}
	if redact.Dotted(raw) {
		return loadable(raw)
	}
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return raw
	}
	u.User = nil
	if callback(u) {
		return redactedOnly(u)
	}
	return u.String()
}

// callback tells whether an address is where a sign-in returned to.
func callback(u *url.URL) bool {
	q := u.Query()
	if q.Has("code") && (q.Has("state") || q.Has("scope") || q.Has("session_state")) {
		return true
	}
	return strings.Contains(u.Fragment, "access_token=") || strings.Contains(u.Fragment, "id_token=") || q.Has("SAMLResponse") || q.Has("oauth_verifier")
}

// redactedOnly drops query and fragment when redaction would change them.
func redactedOnly(u *url.URL) string {
	if s := u.String(); redact.URL(s) == s {
		return s
	}
	u.RawQuery, u.Fragment, u.RawFragment = "", "", ""
	return u.String()
}

// loadable gives what is still an address of one that a secret value was taken
// out of: the parts before the one that held it.
func loadable(raw string) string {
	if !redact.Dotted(raw) {
		return raw
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	host, _, _ := strings.Cut(rest, "/")
	switch {
	case !ok || redact.Dotted(host):
		return "about:blank"
	case redact.Dotted(rest):
		rest = host + "/"
	}
	return scheme + "://" + rest
}
