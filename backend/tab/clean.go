package tab

import (
	"net/url"
	"strings"

	"baton/backend/redact"
)

// clean gives an address as it is saved: without user info, and without the
// credentials that a sign-in's callback carries (T5).
func clean(raw string) string {
	if strings.HasPrefix(raw, "data:") || strings.HasPrefix(raw, "blob:") {
		return "about:blank"
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
