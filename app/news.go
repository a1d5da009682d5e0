package app

import (
	"context"

	"golang.org/x/mod/semver"

	"baton/backend/settings"
)

// News tells the person, once, that a newer Baton has started. What is new is
// the interface's to say.
type News struct{ s *Server }

// Take gives this version when it is newer than any that told the person so
// before, and never again after that. A fresh data folder has no news, and
// neither has a build without a version.
func (a News) Take(ctx context.Context, _ nothing) (Unread, error) {
	now := a.s.cfg.Version
	if !semver.IsValid("v" + now) {
		return Unread{}, nil
	}
	var before string
	_, err := a.s.cfg.Settings.Change(ctx, func(v *settings.Values) {
		before = v.SeenVersion
		if semver.Compare("v"+now, "v"+before) > 0 { // what is no version comes first
			v.SeenVersion = now
		}
	})
	if err != nil || before == "" || semver.Compare("v"+now, "v"+before) <= 0 {
		return Unread{}, err
	}
	return Unread{Version: now}, nil
}
