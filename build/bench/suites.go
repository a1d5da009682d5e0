package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/build/probe"
)

// tools counts what a client must read before its first call.
func (r *run) tools(ctx context.Context) error {
	r.turns(ctx, 0, "tools", func(ctx context.Context, p *peer) error {
		s, err := r.begin(ctx, p, nil, "")
		if err != nil {
			return err
		}
		defer s.finish()
		list, names, err := s.Tools(ctx)
		if err != nil {
			return err
		}
		r.got.add("tools", p.name, tokens(list))
		r.got.add("tool count", p.name, float64(len(names)))
		r.got.add("instructions", p.name, tokens(s.Instructions))
		return nil
	})
	return nil
}

// start measures from the start of the server to the first snapshot, and how
// long an agent takes to reach a browser that runs.
func (r *run) start(ctx context.Context) error {
	for rep := range r.reps {
		begun := time.Now()
		b, err := r.bare(ctx, false)
		if err != nil {
			return err
		}
		if _, err := b.load(ctx, r.site.Base+"/start"); err != nil {
			return err
		}
		r.got.took("start", limit, time.Since(begun))
		_ = b.close()
		r.turns(ctx, rep, "start", func(ctx context.Context, p *peer) error {
			begun := time.Now()
			s, err := r.begin(ctx, p, nil, "")
			if err != nil {
				return err
			}
			defer s.finish()
			n, err := s.must(ctx, p.navigate(r.site.Base+"/start"))
			if err != nil {
				return err
			}
			if _, err := s.look(ctx, n); err != nil {
				return err
			}
			r.got.took("start", p.name, time.Since(begun))
			return r.attach(ctx, p, s)
		})
	}
	return nil
}

// attach measures from the start of a second server to the list of tabs.
func (r *run) attach(ctx context.Context, p *peer, first *session) error {
	join, beside := "", first
	if !p.joins {
		b, err := r.bare(ctx, true)
		if err != nil {
			return err
		}
		defer func() { _ = b.close() }()
		if join, err = r.address(ctx, r.count); err != nil {
			return err
		}
		time.Sleep(500 * time.Millisecond)
		beside = nil
	}
	begun := time.Now()
	s, err := r.begin(ctx, p, beside, join)
	if err != nil {
		return err
	}
	if beside == nil {
		defer s.Stop()
	} else {
		defer s.Leave()
	}
	if _, err := s.must(ctx, p.list()); err != nil {
		return err
	}
	r.got.took("attach", p.name, time.Since(begun))
	return nil
}

// split gives the memory of a server's own processes and of its browser.
func split(pids []int) (own, browser float64) {
	for _, pid := range pids {
		if m := probe.PSS(pid); probe.Browser(pid) {
			browser += m
		} else {
			own += m
		}
	}
	return own, browser
}

// memory weighs servers with one page and with ten, and what they do at rest.
func (r *run) memory(ctx context.Context) error {
	rest, reps := 15*time.Second, min(r.reps, 3)
	if r.quick {
		rest = 4 * time.Second
	}
	b, err := r.bare(ctx, false)
	if err != nil {
		return err
	}
	if _, err := b.load(ctx, r.site.Base+"/start"); err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	r.got.add("one page", limit, probe.PSS(probe.Descend(b.cmd.Process.Pid)...))
	_ = b.close()
	for rep := range reps {
		r.turns(ctx, rep, "memory", func(ctx context.Context, p *peer) error {
			s, err := r.begin(ctx, p, nil, "")
			if err != nil {
				return err
			}
			defer s.finish()
			n, err := s.must(ctx, p.navigate(r.site.Base+"/start"))
			if err != nil {
				return err
			}
			if _, err := s.look(ctx, n); err != nil {
				return err
			}
			time.Sleep(3 * time.Second)
			pids := s.PIDs()
			own, browser := split(pids)
			r.got.add("server", p.name, own)
			r.got.add("one page", p.name, own+browser)
			before := probe.CPU(pids...)
			time.Sleep(rest)
			r.got.add("idle", p.name, 100*(probe.CPU(pids...)-before).Seconds()/rest.Seconds())
			for i := range 9 {
				if _, err := s.must(ctx, p.open(r.site.Base+[]string{"/form", "/plants", "/report"}[i%3])); err != nil {
					return err
				}
			}
			time.Sleep(2 * time.Second)
			own, browser = split(s.PIDs())
			r.got.add("ten", p.name, own+browser)
			r.got.add("server ten", p.name, own)
			return nil
		})
	}
	return nil
}

// settle is what servers that have just started are given to come to rest.
const settle = 3 * time.Second

// warm starts every peer once, and a bare browser, for what is measured in
// running ones.
func (r *run) warm(ctx context.Context, fn func(open map[*peer]*session, b *bare) error) error {
	open := map[*peer]*session{}
	defer func() {
		for _, s := range open {
			s.finish()
		}
	}()
	r.turns(ctx, 0, "start", func(ctx context.Context, p *peer) error {
		s, err := r.begin(ctx, p, nil, "")
		if err != nil {
			return err
		}
		open[p] = s
		_, names, err := s.Tools(ctx)
		if err != nil {
			return err
		}
		if p.name == "baton" && !slices.Contains(names, "browser_script") {
			p.fill = piecemeal
			r.note("This build of Baton has no browser_script: forms are filled with browser_fill, browser_select and browser_check.")
		}
		_, err = s.must(ctx, p.navigate(r.site.Base+"/start"))
		return err
	})
	b, err := r.bare(ctx, false)
	if err != nil {
		return err
	}
	defer func() { _ = b.close() }()
	time.Sleep(settle)
	return fn(open, b)
}

// each is turns over open sessions; each peer is left on the small page, which
// does nothing by itself.
func (r *run) each(ctx context.Context, rep int, what string, open map[*peer]*session, fn func(context.Context, *session) error) {
	r.turns(ctx, rep, what, func(ctx context.Context, p *peer) error {
		s := open[p]
		if s == nil {
			return nil
		}
		err := fn(ctx, s)
		if _, back := s.do(ctx, p.navigate(r.site.Base+"/start")); err == nil {
			err = back
		}
		return err
	})
}

// load measures opening a page and seeing it.
func (r *run) load(ctx context.Context) error {
	return r.warm(ctx, func(open map[*peer]*session, b *bare) error {
		// The first round is not counted: everything has just started.
		for rep := -1; rep < r.reps; rep++ {
			for _, path := range []string{"form", "orders", "plants", "report"} {
				if _, err := b.load(ctx, r.site.Base+"/start"); err != nil {
					return err
				}
				d, err := b.load(ctx, r.site.Base+"/"+path)
				if err != nil {
					return err
				}
				w, err := b.run(ctx, walk, nil)
				if err != nil {
					return err
				}
				if rep >= 0 {
					r.got.took("load "+path, limit, d)
					r.got.took("seen "+path, limit, d+w)
				}
				r.each(ctx, rep+1, path, open, func(ctx context.Context, s *session) error {
					n, err := s.must(ctx, s.p.navigate(r.site.Base+"/"+path))
					if err != nil {
						return err
					}
					l, err := s.look(ctx, n)
					if err != nil || rep < 0 {
						return err
					}
					r.got.took("load "+path, s.p.name, l.Took)
					r.got.took("seen "+path, s.p.name, l.Took)
					if rep > 0 {
						return nil
					}
					r.got.add("tokens "+path, s.p.name, tokens(s.p.outline(l.Text)))
					if s.p.query != nil {
						return r.findable(ctx, s, path)
					}
					return nil
				})
			}
		}
		return nil
	})
}

// findable tries that what a short outline leaves out is found by a query.
func (r *run) findable(ctx context.Context, s *session, path string) error {
	first, last, name := 0, 0, ""
	switch path {
	case "orders":
		first, last, name = 20001, 22000, "Refund %d"
	case "plants":
		first, last, name = 1, 200, "Add plant %d to basket"
	default:
		return nil
	}
	step, missing := max(1, (last-first)/40), []string{}
	for i := first; i <= last; i += step {
		want := fmt.Sprintf(name, i)
		q, err := s.must(ctx, s.p.query(want))
		if err != nil {
			return err
		}
		if s.p.find(q.Text, "button", want) == "" {
			missing = append(missing, want)
		}
	}
	if len(missing) > 0 {
		r.note("%s: on the page %s a query did not find %s.", s.p.title, path, strings.Join(missing, ", "))
	}
	return nil
}

// size measures snapshots by the size of the page.
func (r *run) size(ctx context.Context) error {
	sizes := []int{1000, 5000, 20000, 50000}
	if r.quick {
		sizes = sizes[:3]
	}
	return r.warm(ctx, func(open map[*peer]*session, b *bare) error {
		for rep := range min(r.reps, 3) {
			for _, n := range sizes {
				url := fmt.Sprintf("%s/size?n=%d", r.site.Base, n)
				what := fmt.Sprintf("size %d", n)
				if _, err := b.load(ctx, url); err != nil {
					return err
				}
				for range 2 {
					d, err := b.run(ctx, walk, nil)
					if err != nil {
						return err
					}
					r.got.took(what, limit, d)
				}
				r.each(ctx, rep, what, open, func(ctx context.Context, s *session) error {
					if _, err := s.must(ctx, s.p.navigate(url)); err != nil {
						return err
					}
					for range 2 {
						l, err := s.must(ctx, s.p.snapshot())
						if err != nil {
							return err
						}
						r.got.took(what, s.p.name, l.Took)
						r.got.add("bytes "+what, s.p.name, float64(len(l.Text)))
					}
					return nil
				})
			}
		}
		return nil
	})
}

// click measures clicks on a small page, on one that asks the site for
// something, and on a big table.
func (r *run) click(ctx context.Context) error {
	cases := []struct{ what, path, name, selector, later string }{
		{"click small", "/start?quiet", "Count", "#count", ""},
		{"click request", "/start", "Count", "#count", "Kept "},
		{"click big", "/orders?quiet", "Refund 20003", "[data-n='20003']", ""},
	}
	return r.warm(ctx, func(open map[*peer]*session, b *bare) error {
		for _, c := range cases {
			if _, err := b.load(ctx, r.site.Base+c.path); err != nil {
				return err
			}
			refs := map[*peer]string{}
			r.turns(ctx, 0, c.what, func(ctx context.Context, p *peer) error {
				s := open[p]
				if s == nil {
					return nil
				}
				n, err := s.must(ctx, p.navigate(r.site.Base+c.path))
				if err != nil {
					return err
				}
				l, err := s.look(ctx, n)
				if err != nil {
					return err
				}
				if refs[p] = p.find(p.outline(l.Text), "button", c.name); refs[p] == "" {
					return fmt.Errorf("no button %q is shown", c.name)
				}
				return nil
			})
			for rep := range max(2, 2*r.reps) {
				d, err := b.click(ctx, c.selector)
				if err != nil {
					return err
				}
				r.got.took(c.what, limit, d)
				r.turns(ctx, rep, c.what, func(ctx context.Context, p *peer) error {
					if refs[p] == "" {
						return nil
					}
					k, err := open[p].must(ctx, p.click(refs[p], c.name))
					if err != nil {
						return err
					}
					r.got.took(c.what, p.name, k.Took)
					r.got.add("tokens "+c.what, p.name, tokens(k.Text))
					if c.later != "" {
						said := 0.0
						if strings.Contains(k.Text, fmt.Sprintf("%s%d", c.later, rep+1)) {
							said = 100
						}
						r.got.add("says "+c.what, p.name, said)
						time.Sleep(100 * time.Millisecond)
					}
					return nil
				})
			}
			r.each(ctx, 0, c.what, open, func(context.Context, *session) error { return nil })
		}
		return nil
	})
}

// evaluate measures the shortest call that reaches the page.
func (r *run) evaluate(ctx context.Context) error {
	return r.warm(ctx, func(open map[*peer]*session, b *bare) error {
		if _, err := b.load(ctx, r.site.Base+"/start"); err != nil {
			return err
		}
		for rep := range max(4, 3*r.reps) {
			d, err := b.run(ctx, "1+1", nil)
			if err != nil {
				return err
			}
			r.got.took("evaluate", limit, d)
			r.turns(ctx, rep, "evaluate", func(ctx context.Context, p *peer) error {
				if open[p] == nil {
					return nil
				}
				k, err := open[p].must(ctx, p.evaluate("1+1"))
				if err == nil && rep > 0 { // the first one may set things up
					r.got.took("evaluate", p.name, k.Took)
				}
				return err
			})
		}
		return nil
	})
}

// form measures filling eight fields whose references are known.
func (r *run) form(ctx context.Context) error {
	return r.warm(ctx, func(open map[*peer]*session, _ *bare) error {
		for rep := range r.reps {
			r.each(ctx, rep, "form", open, func(ctx context.Context, s *session) error {
				r.site.Forget()
				a := &agent{ctx: ctx, s: s, site: r.site}
				a.goTo("/form")
				a.ref("textbox", "Given name")
				calls, took := a.calls, a.took
				a.fill(contact)
				calls, took = a.calls-calls, a.took-took
				a.click("button", "Send request", false)
				time.Sleep(100 * time.Millisecond)
				if a.err != nil {
					return a.err
				}
				if told := r.site.Heard("form"); told != contactTold {
					return fmt.Errorf("the page received %q after %.200q", told, a.in)
				}
				r.got.took("form", s.p.name, took)
				r.got.add("form calls", s.p.name, float64(calls))
				return nil
			})
		}
		return nil
	})
}

// tasks runs the scripted agent through its tasks.
func (r *run) tasks(ctx context.Context) error {
	return r.warm(ctx, func(open map[*peer]*session, _ *bare) error {
		for rep := range min(r.reps, 3) {
			for _, t := range tasks {
				r.each(ctx, rep, "task "+t.name, open, func(ctx context.Context, s *session) error {
					r.site.Forget()
					a := &agent{ctx: ctx, s: s, site: r.site}
					t.do(a)
					time.Sleep(60 * time.Millisecond)
					name := s.p.name
					right := a.err == nil && t.done(r.site, a)
					r.got.add("right "+t.name, name, map[bool]float64{true: 1}[right])
					r.got.took("time "+t.name, name, a.took)
					r.got.add("calls "+t.name, name, float64(a.calls))
					r.got.add("in "+t.name, name, tokens(strings.Join(a.in, "\n")))
					r.got.add("out "+t.name, name, tokens(strings.Join(a.out, "\n")))
					r.say("%s %s: %v, %d calls, %v", name, t.name, right, a.calls, a.took.Round(time.Millisecond))
					if !right {
						return fmt.Errorf("not done: %v; its last answer was %.120q", a.err, a.last)
					}
					return nil
				})
			}
		}
		return nil
	})
}
