package app

import (
	"context"
	"runtime"

	"baton/backend/page"
)

// bind lists every method that a client can call, and the least role that may.
func bind(s *Server) map[string]method {
	var (
		tabs      = Tabs{s}
		view      = View{}
		dialog    = Dialogs{s}
		settings  = SettingsArea{s}
		clipboard = Clipboard{s}
		cards     = Cards{s}
		surfaces  = Surfaces{s}
		files     = Files{s}
		signIns   = SignIns{s}
		sites     = Sites{s}
		agents    = AgentsArea{s}
		downloads = Downloads{s}
		past      = HistoryArea{s}
		find      = FindArea{s}
		paper     = Paper{s}
		address   = AddressArea{s}
		news      = News{s}
	)
	return map[string]method{
		"hello": gives(Member, s.greet),

		"tabs.open":      gives(Member, tabs.Open),
		"tabs.close":     does(Member, tabs.Close),
		"tabs.reopen":    gives(Member, tabs.Reopen),
		"tabs.duplicate": gives(Member, tabs.Duplicate),
		"tabs.activate":  does(Member, tabs.Activate),
		"tabs.navigate":  does(Member, tabs.Navigate),
		"tabs.history":   does(Member, tabs.History),
		"tabs.reload":    does(Member, tabs.Reload),
		"tabs.stop":      does(Member, tabs.Stop),
		"tabs.move":      does(Member, tabs.Move),
		"tabs.pin":       does(Member, tabs.Pin),
		"tabs.viewport":  does(Member, tabs.Viewport),
		"tabs.mute":      does(Member, tabs.Mute),
		"tabs.private":   does(Owner, tabs.Private),
		"tabs.take":      does(Member, tabs.Take),
		"tabs.give":      does(Member, tabs.Give),
		"tabs.inspect":   gives(Owner, tabs.Inspect),

		"address.read":    gives(Member, address.Read),
		"address.servers": gives(Owner, address.Servers),

		"view.watch": does(Member, view.Watch),
		"view.leave": does(Member, view.Leave),
		"view.paint": does(Owner, view.Paint),

		"surface.choose": does(Member, surfaces.Choose),
		"surface.set":    does(Member, surfaces.Set),
		"surface.close":  does(Member, surfaces.Close),

		"files.begin":  gives(Member, files.Begin),
		"files.part":   does(Member, files.Part),
		"files.forget": does(Member, files.Forget),
		"files.choose": does(Member, files.Choose),
		"files.cancel": does(Member, files.Cancel),
		"files.drop":   does(Member, files.Drop),

		"signin.answer": does(Admin, signIns.Answer),
		"signin.cancel": does(Admin, signIns.Cancel),
		"signin.ask":    does(Admin, signIns.Ask),

		"site.info":   gives(Member, sites.Info),
		"site.permit": does(Admin, sites.Permit),
		"site.clear":  does(Admin, sites.Clear),
		"site.pass":   gives(Admin, sites.Pass),
		"site.open":   does(Admin, sites.Open),

		"dialog.answer": does(Member, dialog.Answer),
		"cards.open":    gives(Admin, cards.Open),
		"cards.done":    does(Admin, cards.Done),
		"cards.answer":  does(Admin, cards.Answer),
		"agents.access": does(Owner, agents.Access),
		"settings.set":  gives(Owner, settings.Set),
		"news.take":     gives(Owner, news.Take),

		"tabs.zoom":   does(Member, tabs.Zoom),
		"tabs.steps":  gives(Member, tabs.Steps),
		"tabs.unfull": does(Member, tabs.Unfull),
		"tabs.source": gives(Owner, tabs.Source),

		"find.start": does(Member, find.Start),
		"find.step":  does(Member, find.Step),
		"find.stop":  does(Member, find.Stop),

		"page.print": gives(Admin, paper.Print),
		"image.save": gives(Admin, paper.SaveImage),
		"image.copy": gives(Member, paper.CopyImage),

		"downloads.open":   gives(Admin, downloads.Open),
		"downloads.show":   gives(Admin, downloads.Show),
		"downloads.cancel": does(Admin, downloads.Cancel),
		"downloads.retry":  does(Admin, downloads.Retry),
		"downloads.forget": does(Admin, downloads.Forget),
		"downloads.clear":  does(Admin, downloads.Clear),

		"history.list":    gives(Owner, past.List),
		"history.suggest": gives(Owner, past.Suggest),
		"history.forget":  does(Owner, past.Forget),
		"history.clear":   does(Owner, past.Clear),

		"clipboard.copy":      gives(Member, clipboard.Copy),
		"clipboard.cut":       gives(Member, clipboard.Cut),
		"clipboard.selection": gives(Member, clipboard.Selection),
	}
}

// greet answers hello, the first call; the state events follow it.
func (s *Server) greet(ctx context.Context, _ nothing) (Hello, error) {
	c := caller(ctx)
	h := Hello{Client: c.id, Version: s.cfg.Version, Host: runtime.GOOS, Role: c.role.String(), Shell: c.shell, Connect: ConnectAgent{Args: []string{}}}
	for _, d := range page.Devices {
		h.Devices = append(h.Devices, Device(d))
	}
	if s.cfg.Connect != nil {
		h.Connect = s.cfg.Connect()
	}
	return h, nil
}
