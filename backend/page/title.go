package page

import "github.com/chromedp/cdproto/runtime"

// Chromium tells of a title late, and of one that a script sets often not at
// all; so the main document tells its own, from the isolated world.

// titleBinding is how the isolated world tells a title.
const titleBinding = "__batonTitle"

// titleScript tells the main document's title once it is parsed and whenever it
// changes.
const titleScript = `(() => {
 if (window !== window.top || globalThis.__batonTitled) return;
 globalThis.__batonTitled = true;
 let last = null;
 const tell = () => {
  const t = document.title.slice(0, 1000);
  if (t !== last && globalThis.` + titleBinding + `) globalThis.` + titleBinding + `(last = t);
 };
 const look = () => {
  seen.disconnect();
  if (document.head) seen.observe(document.head, {childList: true});
  const t = document.querySelector('title');
  if (t) seen.observe(t, {childList: true, characterData: true, subtree: true});
  tell();
 };
 const seen = new MutationObserver(look);
 if (document.readyState === 'loading') addEventListener('DOMContentLoaded', look, {once: true});
 else look();
 addEventListener('load', look, {once: true});
})()`

// titled takes a title that the main document told.
func (p *Page) titled(e runtime.EventBindingCalled) {
	if e.Name == titleBinding {
		p.update(func(s *State) { s.Title, p.told = e.Payload, s.Revision })
	}
}
