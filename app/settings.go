package app

import (
	"context"

	"baton/backend/fault"
	"baton/backend/settings"
)

// SettingsArea changes the person's settings.
type SettingsArea struct{ s *Server }

// Set changes all settings and gives what is in force then.
func (a SettingsArea) Set(ctx context.Context, v Settings) (Settings, error) {
	now, err := a.s.cfg.Settings.Change(ctx, func(to *settings.Values) {
		to.Theme, to.RevealAutomation, to.SearchURL, to.HomeURL = v.Theme, v.RevealAutomation, v.SearchURL, v.HomeURL
		to.AgentAccess, to.TouchHoldSeconds, to.ShowFirstRun = v.AgentAccess, v.TouchHoldSeconds, v.ShowFirstRun
	})
	if err != nil {
		return Settings{}, fault.New(fault.BadArguments, "%v", err).Because(err)
	}
	return wireSettings(now), nil
}

func wireSettings(v settings.Values) Settings {
	return Settings{
		Theme: v.Theme, RevealAutomation: v.RevealAutomation, SearchURL: v.SearchURL, HomeURL: v.HomeURL,
		AgentAccess: v.AgentAccess, TouchHoldSeconds: v.TouchHoldSeconds, ShowFirstRun: v.ShowFirstRun,
	}
}
