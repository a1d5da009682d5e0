package page

import (
	"context"
	"time"
)

// iconOf gives the address of the icon that a document names, else the site's
// own by convention.
const iconOf = `function(){
 const l = document.querySelector('link[rel~="icon" i]');
 if (l) return l.href;
 return /^https?:$/.test(location.protocol) ? location.origin + '/favicon.ico' : '';
}`

// refreshFavicon reads which icon the page names.
func (p *Page) refreshFavicon() {
	ctx, cancel := context.WithTimeout(p.alive(), 5*time.Second)
	defer cancel()
	w, err := p.mainWorld(ctx)
	if err != nil {
		return
	}
	var icon string
	if w.call(ctx, iconOf, nil, &icon) != nil {
		return
	}
	p.update(func(s *State) { s.Favicon = icon })
}
