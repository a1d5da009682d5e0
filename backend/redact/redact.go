// Package redact keeps secrets out of whatever leaves the program: [Secret]
// holds one and prints dots, [URL] and [Text] clean addresses and messages.
package redact

import (
	"log/slog"
	"net/url"
	"regexp"
	"strings"
)

// Secret is a value that prints as dots. Use Reveal only at the place that
// consumes it, and Wipe afterwards.
type Secret struct{ b []byte }

// NewSecret takes over b.
func NewSecret(b []byte) *Secret { return &Secret{b: b} }

// Reveal gives the value itself, valid until Wipe.
func (s *Secret) Reveal() []byte { return s.b }

// Wipe overwrites the value.
func (s *Secret) Wipe() { clear(s.b); s.b = nil }

func (s *Secret) String() string               { return dots }
func (s *Secret) GoString() string             { return dots }
func (s *Secret) LogValue() slog.Value         { return slog.StringValue(dots) }
func (s *Secret) MarshalText() ([]byte, error) { return []byte(dots), nil }

const dots = "•••"

// Dotted tells whether something was taken out of an address or text.
func Dotted(s string) bool {
	return strings.Contains(s, dots) || strings.Contains(s, escapedDots)
}

var escapedDots = url.PathEscape(dots)

// secretParam names query and fragment parameters whose values are
// credentials, one-time codes or capabilities.
var secretParam = regexp.MustCompile(`(?i)^(access_token|refresh_token|id_token|token|auth|code|state|session_state|sessionid|sid|api_?key|key|secret|client_secret|password|passwd|pwd|signature|sig|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|otp|ticket|samlresponse|samlrequest|assertion|jwt|nonce|capability|cap)$`)

// URL gives an address without user info and with the values of secret
// parameters replaced. What is no address comes back as it is.
func URL(raw string) string {
	if strings.HasPrefix(raw, "data:") && len(raw) > 120 {
		return raw[:120] + "…"
	}
	if !strings.ContainsAny(raw, "?#@") {
		return raw
	}
	u, err := url.Parse(raw)
	if err != nil {
		if i := strings.IndexAny(raw, "?#"); i >= 0 {
			return raw[:i]
		}
		return raw
	}
	u.User = nil
	u.RawQuery = params(u.RawQuery)
	fragment := ""
	if strings.Contains(u.Fragment, "=") {
		route, rest, ok := strings.Cut(u.EscapedFragment(), "?")
		if ok {
			fragment = "#" + route + "?" + params(rest)
		} else {
			fragment = "#" + params(route)
		}
		u.Fragment, u.RawFragment = "", ""
	}
	return strings.ReplaceAll(u.String()+fragment, escapedDots, dots)
}

func params(q string) string {
	if q == "" {
		return q
	}
	parts := strings.Split(q, "&")
	for i, p := range parts {
		name, val, ok := strings.Cut(p, "=")
		if n, err := url.QueryUnescape(name); err == nil && ok && val != "" && secretParam.MatchString(n) {
			parts[i] = name + "=…"
		}
	}
	return strings.Join(parts, "&")
}

var (
	inText = regexp.MustCompile(`(?:https?|wss?|ftp)://[^\s"'<>\\)\]]+`)
	bearer = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9+/_.=-]{8,}`)
)

// Text gives s with the addresses and authorization headers in it cleaned.
func Text(s string) string {
	if strings.Contains(s, "://") {
		s = inText.ReplaceAllStringFunc(s, URL)
	}
	return bearer.ReplaceAllString(s, "$1 …")
}
