package app

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// windowOrigins are the origins of the page in the desktop window; they count
// only together with the window's token.
var windowOrigins = map[string]bool{
	"wails://wails": true, "wails://wails.localhost": true, "http://wails.localhost": true, "https://wails.localhost": true,
}

// guard sets the headers that keep the interface to itself.
func guard(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	connect := "'self'"
	if loopbackHost(r.Host) {
		connect += " ws://" + r.Host // some browsers do not count a socket as 'self'
	}
	h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "+
		"connect-src "+connect+"; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// loopbackHost tells whether a Host header names this computer itself. Another
// name that leads here is somebody else's (DNS rebinding).
func loopbackHost(host string) bool {
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		name = h
	}
	switch strings.ToLower(strings.Trim(name, "[]")) {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

// sameOrigin tells whether the request's Origin is the server's own.
func sameOrigin(r *http.Request) bool {
	o, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && o.Scheme == "http" && strings.EqualFold(o.Host, r.Host)
}

// foreign tells whether another site's page made the request.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
	default:
		return true
	}
	return r.Header.Get("Origin") != "" && !sameOrigin(r)
}

// Owns tells whether an address leads to this server: no tab may open it.
func (s *Server) Owns(address string) bool {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return false
	}
	switch u.Scheme {
	case "http", "https", "ws", "wss":
	default:
		return false
	}
	port := strings.TrimLeft(u.Port(), "0")
	if port == "" {
		port = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}[u.Scheme]
	}
	s.mu.Lock()
	mine := s.ports[port]
	s.mu.Unlock()
	return mine && loopbackName(u.Hostname())
}

// Hosts gives host and port of every address that leads to this server from a
// page; *.localhost stands for all names under it.
func (s *Server) Hosts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for port := range s.ports {
		for _, name := range []string{"127.0.0.1", "localhost", "*.localhost", "0.0.0.0"} {
			out = append(out, name+":"+port)
		}
	}
	return out
}

// loopbackName tells whether a name in an address means this computer, in any
// of the notations that browsers take.
func loopbackName(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if a, err := netip.ParseAddr(name); err == nil {
		a = a.Unmap()
		return a.IsLoopback() || a.IsUnspecified()
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return true // browsers fold other scripts' letters and digits into these; no site has such a name at our port
	}
	a, ok := looseIPv4(name)
	return ok && (a.IsLoopback() || a.IsUnspecified())
}

// looseIPv4 reads an IPv4 address as browsers do: one to four parts, each
// decimal, octal or hexadecimal, the last filling what is left.
func looseIPv4(s string) (netip.Addr, bool) {
	parts := strings.Split(s, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var sum uint64
	for i, p := range parts {
		n, ok := looseNumber(p)
		last := i == len(parts)-1
		if !ok || (!last && n > 255) || (last && n >= 1<<(8*(5-len(parts)))) {
			return netip.Addr{}, false
		}
		if last {
			sum += n
		} else {
			sum += n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

func looseNumber(s string) (uint64, bool) {
	base := 10
	switch {
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
		if s == "" {
			return 0, true
		}
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	n, err := strconv.ParseUint(s, base, 33)
	return n, err == nil
}
