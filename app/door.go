package app

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"sync"
	"time"
)

const (
	codeLife    = 10 * time.Minute
	codesWrong  = 20 // wrong codes after which only a new code counts
	sessionsMax = 64 // the oldest ends when there are more
)

// door knows who may come in: holders of the window's token, and browsers that
// a one-time code signed in. Codes and sessions are kept as hashes.
type door struct {
	token string // fixed

	mu       sync.Mutex
	codes    map[[32]byte]time.Time // until when they are good
	wrong    int
	sessions map[[32]byte]time.Time // since when
}

func newDoor() *door {
	return &door{token: secret(), codes: map[[32]byte]time.Time{}, sessions: map[[32]byte]time.Time{}}
}

// secret makes a random text of 32 bytes, as addresses and headers take it.
func secret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

func sum(s string) [32]byte { return sha256.Sum256([]byte(s)) }

// hasToken tells whether the window's token was given.
func (d *door) hasToken(given string) bool {
	a, b := sum(given), sum(d.token)
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// code makes a new one-time code. Wrong codes before it no longer count.
func (d *door) code(now time.Time) string {
	c := secret()[:24]
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wrong = 0
	for k, until := range d.codes {
		if now.After(until) {
			delete(d.codes, k)
		}
	}
	d.codes[sum(c)] = now.Add(codeLife)
	return c
}

// entry is how an attempt to sign in ended.
type entry int

const (
	entered entry = iota
	unknown       // never given out, used already, or too old
	barred        // too many wrong ones
)

// enter uses a code up and gives a session for it.
func (d *door) enter(code string, now time.Time) (session string, how entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.wrong >= codesWrong {
		return "", barred
	}
	until, ok := d.codes[sum(code)]
	delete(d.codes, sum(code))
	if !ok || now.After(until) {
		if d.wrong++; d.wrong >= codesWrong {
			clear(d.codes)
		}
		return "", unknown
	}
	session = secret()
	d.sessions[sum(session)] = now
	if len(d.sessions) > sessionsMax {
		var oldest [32]byte
		first := now
		for k, since := range d.sessions {
			if since.Before(first) {
				oldest, first = k, since
			}
		}
		delete(d.sessions, oldest)
	}
	return session, entered
}

// signedIn tells whether a session is good.
func (d *door) signedIn(session string) bool {
	if session == "" {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.sessions[sum(session)]
	return ok
}
