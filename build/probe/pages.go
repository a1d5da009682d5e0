package probe

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
)

const look = `
body { font: 15px/1.5 sans-serif; margin: 0; color: #232 }
header { display: flex; gap: 1em; padding: .6em 1.2em; background: #243; color: #fff }
header a { color: #ced }
main { max-width: 1080px; margin: 0 auto; padding: 1em }
label { display: block; margin-top: .5em }
input, select, textarea { width: 20em; padding: .3em }
input[type=checkbox], input[type=radio] { width: auto }
button { padding: .3em .8em }
table { width: 100%; border-collapse: collapse }
td, th { text-align: left; padding: .2em .5em; border-bottom: 1px solid #dde }
.shelf { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1em }
.box { border: 1px solid #cdc; border-radius: 6px; padding: .7em }
.wait { height: 1.1em; margin: .5em 0; background: #e6e9e6 }
.veil { position: fixed; inset: 0; background: #0009; display: grid; place-items: center }
.veil > div { background: #fff; padding: 1.5em; border-radius: 6px }
`

// common gives every page tell(name, data), which answers when the site has
// noted it (with ?quiet in the address nothing is sent), and clicked: the name
// of what was clicked last.
const common = `
let clicked = '';
addEventListener('click', e => {
  const t = e.composedPath()[0];
  clicked = t.getAttribute('aria-label') ?? t.textContent;
}, true);
const quiet = new URLSearchParams(location.search).has('quiet');
const el = id => document.getElementById(id);
async function tell(name, data) {
  if (!quiet) await (await fetch('/tell', { method: 'POST', body: JSON.stringify({ name, data }) })).text();
}
`

const nav = `<header><b>Fernhill</b><nav aria-label="Site"><a href="/start">Start</a> <a href="/plants">Plants</a> <a href="/report">News</a> <a href="/gauges">Gauges</a></nav></header>`

// document wraps a page's main part and its script.
func document(title, body, script string) string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>` + title +
		`</title><link rel="stylesheet" href="/look.css"><script src="/common.js"></script></head><body>` + body + `<script>` + script + `</script></body></html>`
}

var vocabulary = strings.Fields(`amber basin cedar delta ember field grove haven inlet juniper kelp lantern meadow north orchard pebble quarry ridge
	spring thicket upland valley willow yarrow acorn birch clover drift estuary fern gorge heath island`)

// prose makes words that are the same in every run.
type prose struct{ r *rand.Rand }

func newProse() prose { return prose{rand.New(rand.NewPCG(7, 11))} }

func (p prose) words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = vocabulary[p.r.IntN(len(vocabulary))]
	}
	return strings.Join(out, " ")
}

func (p prose) sentence() string {
	w := p.words(8 + p.r.IntN(14))
	return strings.ToUpper(w[:1]) + w[1:] + ". "
}

// pages are the site's pages by path.
var pages = map[string]func(*Site, *http.Request) string{
	"start":  func(*Site, *http.Request) string { return startPage },
	"form":   func(*Site, *http.Request) string { return formPage },
	"orders": func(_ *Site, r *http.Request) string { return ordersPage(number(r, "rows", 2000)) },
	"plants": func(*Site, *http.Request) string { return plantsPage() },
	"signup": func(*Site, *http.Request) string { return signupPage },
	"report": func(*Site, *http.Request) string { return reportPage() },
	"frames": func(s *Site, _ *http.Request) string { return s.framesPage() },
	"inside": func(_ *Site, r *http.Request) string { return insidePage(r.URL.Query().Has("pay")) },
	"parts":  func(*Site, *http.Request) string { return partsPage },
	"modal":  func(*Site, *http.Request) string { return modalPage },
	"feed":   func(*Site, *http.Request) string { return feedPage() },
	"gauges": func(*Site, *http.Request) string { return gaugesPage() },
	"size":   func(_ *Site, r *http.Request) string { return sizePage(number(r, "n", 1000)) },
}

// startPage is small; its button changes the page at once, and once more when
// the site has answered.
var startPage = document("Fernhill", nav+`<main><h1>Welcome to Fernhill</h1><p>A nursery of hardy plants.</p>
<ul><li><a href="/form">Write to us</a></li><li><a href="/orders">Orders</a></li><li><a href="/signup">Open an account</a></li></ul>
<button id="count">Count</button> <p id="said" role="status">Not counted</p><p id="kept"></p></main>`, `
let n = 0;
el('count').onclick = async () => {
  const now = ++n;
  el('said').textContent = 'Counted ' + now;
  await tell('count', now);
  if (!quiet) el('kept').textContent = 'Kept ' + now;
};`)

// formPage has eight fields.
var formPage = document("Write to us", nav+`<main><h1>Write to us</h1><form id="form">
<label for="given">Given name</label><input id="given" name="given" required>
<label for="family">Family name</label><input id="family" name="family" required>
<label for="mail">Email</label><input id="mail" name="mail" type="email" required>
<label for="phone">Phone</label><input id="phone" name="phone" type="tel">
<label for="firm">Firm</label><input id="firm" name="firm">
<label for="about">About</label><select id="about" name="about"><option value="">Pick one</option><option value="order">An order</option><option value="plant">A plant</option><option value="visit">A visit</option></select>
<label for="text">Message</label><textarea id="text" name="text" rows="3"></textarea>
<label><input type="checkbox" name="terms" value="yes"> I accept the terms</label>
<p><button>Send request</button></p></form><p id="said" role="status"></p></main>`, `
el('form').onsubmit = e => {
  e.preventDefault();
  const d = Object.fromEntries(new FormData(el('form')));
  el('said').textContent = 'Thanks, ' + d.given + ' ' + d.family + '. Your case is 5150.';
  tell('form', d);
};`)

// ordersPage is a table with a link and a button a row.
func ordersPage(rows int) string {
	p := newProse()
	var b strings.Builder
	b.WriteString(nav + `<main><h1>Orders</h1><p><label for="q">Find</label><input id="q" type="search"></p><p id="said" role="status">No order chosen</p>
<table><thead><tr><th>Order</th><th>Customer</th><th>Day</th><th>Sum</th><th>Do</th></tr></thead><tbody id="rows">`)
	for i := 1; i <= rows; i++ {
		fmt.Fprintf(&b, `<tr><td><a href="/order/%[1]d">Order %[1]d</a></td><td>%s</td><td>2026-%02d-%02d</td><td>%d.%02d</td><td><button data-n="%[1]d">Refund %[1]d</button></td></tr>`,
			20000+i, p.words(2), 1+i%12, 1+i%28, 10+p.r.IntN(900), p.r.IntN(100))
	}
	b.WriteString(`</tbody></table></main>`)
	return document("Orders", b.String(), `
let times = 0;
el('rows').onclick = e => {
  const n = e.target.dataset.n;
  if (!n) return;
  el('said').textContent = 'Refunded ' + n + ', ' + ++times + ' in all';
  tell('refund', +n);
};`)
}

// plantsPage is a shelf of two hundred cards.
func plantsPage() string {
	p := newProse()
	var b strings.Builder
	b.WriteString(nav + `<main><h1>Plants</h1><p id="said" role="status">Basket: 0 plants</p><div class="shelf" id="shelf">`)
	for i := 1; i <= 200; i++ {
		sale := ""
		if i%7 == 0 {
			sale = " <mark>Reduced</mark>"
		}
		fmt.Fprintf(&b, `<article class="box"><svg width="120" height="70" role="img" aria-label="Picture of plant %[1]d"><rect width="120" height="70" fill="hsl(%[2]d 50%% 60%%)"/></svg><h2><a href="/plant/%[1]d">Plant %[1]d %[3]s</a></h2><p>%[4]s</p><p><span>$%.2[5]f</span>%[6]s</p><p>%[7]d stars (%[8]d opinions)</p><button data-n="%[1]d">Add plant %[1]d to basket</button> <button aria-label="Keep plant %[1]d">&#9734;</button></article>`,
			i, i*37%360, p.words(2), p.words(12), 4+float64(i)*1.37, sale, i%5+1, i*13%400)
	}
	b.WriteString(`</div></main>`)
	return document("Plants", b.String(), `
const basket = [];
el('shelf').onclick = e => {
  const n = e.target.dataset.n;
  if (!n) return;
  basket.push(+n);
  el('said').textContent = 'Basket: ' + basket.length + ' plants';
  tell('basket', basket);
};`)
}

// signupPage is an application of three steps; each shows grey bars for 300 ms.
var signupPage = document("Open an account", `<div id="app"></div>`, `
const nav = `+"`"+nav+"`"+`;
const given = {};
const steps = [
  () => '<h1>Step 1 of 3: You</h1><label for="user">User name</label><input id="user"><label for="mail">Mail address</label><input id="mail" type="email"><p><button id="on">On to the plan</button></p>',
  () => '<h1>Step 2 of 3: Plan</h1><fieldset><legend>Plan</legend>' + ['Seed', 'Sapling', 'Forest'].map(p => '<label><input type="radio" name="plan" value="' + p + '"> ' + p + ' plan</label>').join('') + '</fieldset><p><button id="on">On to the summary</button></p>',
  () => '<h1>Step 3 of 3: Summary</h1><dl><dt>User</dt><dd>' + given.user + '</dd><dt>Mail</dt><dd>' + given.mail + '</dd><dt>Plan</dt><dd>' + given.plan + '</dd></dl><button id="on">Open the account</button>',
  () => '<h1>Your account is open</h1><p role="status">Hello ' + given.user + '</p>',
];
function show(i) {
  history.replaceState(0, '', '#' + (i + 1));
  el('app').innerHTML = nav + '<main aria-busy="true">' + '<div class="wait"></div>'.repeat(3) + '</main>';
  setTimeout(() => {
    el('app').innerHTML = nav + '<main>' + steps[i]() + '</main>';
    if (el('on')) el('on').onclick = () => {
      for (const f of document.querySelectorAll('input'))
        if (f.type !== 'radio') given[f.id] = f.value; else if (f.checked) given.plan = f.value;
      if (i === 2) tell('account', given);
      show(i + 1);
    };
  }, 300);
}
show(0);`)

// reportPage is a long article; one of its paragraphs holds the figure that the
// task asks for.
func reportPage() string {
	p := newProse()
	var b strings.Builder
	b.WriteString(nav + `<main><article><h1>Valley council adopts the water plan</h1><p>By <a href="/writer">Mira Holt</a>, 30 November 2026</p>`)
	for i := range 60 {
		if i%8 == 0 {
			b.WriteString("<h2>" + p.words(4) + "</h2>")
		}
		b.WriteString("<p>")
		for k := range 5 {
			b.WriteString(p.sentence())
			if k == 2 && i%3 == 0 {
				fmt.Fprintf(&b, `<a href="/topic/%d">%s</a> `, i, p.words(3))
			}
		}
		if i == 47 {
			b.WriteString("The reservoir will hold 914 million litres. ")
		}
		b.WriteString("</p>")
	}
	b.WriteString(`</article><aside><h2>More</h2><ul>`)
	for i := range 10 {
		fmt.Fprintf(&b, `<li><a href="/report/%d">%s</a></li>`, i, p.words(6))
	}
	b.WriteString(`</ul></aside><section aria-label="Letters"><h2>Letters</h2>`)
	for i := range 25 {
		fmt.Fprintf(&b, `<div><b>reader%d</b> <time>%d hours ago</time><p>%s%s</p><button>Answer</button> <button>Agree</button></div>`, i, i, p.sentence(), p.sentence())
	}
	b.WriteString(`</section><footer><a href="/imprint">Imprint</a></footer></main>`)
	return document("Valley council adopts the water plan", b.String(), "")
}

// framesPage holds a frame of its own site and one of another.
func (s *Site) framesPage() string {
	return document("Till", nav+fmt.Sprintf(`<main><h1>Till</h1><p>To pay: $42.00</p>
<iframe title="Help" src="/inside" width="480" height="150"></iframe>
<iframe title="Payment" src="http://localhost:%d/inside?pay" width="480" height="230"></iframe></main>`, s.other), "")
}

func insidePage(pay bool) string {
	if !pay {
		return document("Help", `<main><h2>Help</h2><button id="b">Call somebody</button><p id="said" role="status"></p></main>`, `
el('b').onclick = () => { el('said').textContent = 'Somebody comes'; tell('help', 1); };`)
	}
	return document("Payment", `<main><h2>Payment</h2><label for="number">Number of the card</label><input id="number"><p><button id="b">Pay $42.00</button></p><p id="said" role="status"></p></main>`, `
el('b').onclick = () => { el('said').textContent = 'Paid with ' + el('number').value; tell('paid', el('number').value); };`)
}

// partsPage is built of components in nested open shadow roots.
var partsPage = document("Preferences", nav+`<main><h1>Preferences</h1><fern-panel></fern-panel></main>`, `
class Part extends HTMLElement {
  connectedCallback() { const s = this.attachShadow({ mode: 'open' }); s.innerHTML = this.inside(); this.ready(s); }
  ready() {}
}
customElements.define('fern-switch', class extends Part {
  inside() { return '<button role="switch" aria-checked="false">' + this.getAttribute('label') + '</button>'; }
  ready(s) {
    const b = s.firstChild;
    b.onclick = () => {
      const on = b.getAttribute('aria-checked') !== 'true';
      b.setAttribute('aria-checked', on);
      tell('switch ' + b.textContent, on);
    };
  }
});
customElements.define('fern-field', class extends Part { inside() { return '<label>Display name <input></label>'; } });
customElements.define('fern-panel', class extends Part {
  inside() {
    return '<h2>Messages</h2><fern-switch label="Mail"></fern-switch> <fern-switch label="Text messages"></fern-switch> <fern-switch label="Letters"></fern-switch>' +
      '<fern-field></fern-field><p><button id="keep">Keep preferences</button></p><p role="status" id="said"></p>';
  }
  ready(s) {
    s.getElementById('keep').onclick = () => {
      const name = s.querySelector('fern-field').shadowRoot.querySelector('input').value;
      s.getElementById('said').textContent = 'Kept for ' + name;
      tell('kept', name);
    };
  }
});`)

// modalPage asks back in a dialog that opens after 120 ms.
var modalPage = document("Beds", nav+`<main><h1>Beds</h1><ul><li>North bed <button id="clear">Clear North bed</button></li><li>South bed <button>Clear South bed</button></li></ul><p id="said" role="status"></p></main><div id="over"></div>`, `
el('clear').onclick = () => setTimeout(() => {
  el('over').innerHTML = '<div class="veil"><div role="dialog" aria-modal="true" aria-labelledby="t"><h2 id="t">Clear the North bed?</h2><p>Write its name to go on.</p><label for="name">Name of the bed</label><input id="name"><p><button id="no">Leave it</button> <button id="yes" disabled>Clear it now</button></p></div></div>';
  el('name').oninput = () => { el('yes').disabled = el('name').value !== 'North bed'; };
  el('no').onclick = () => { el('over').innerHTML = ''; };
  el('yes').onclick = () => { el('over').innerHTML = ''; el('said').textContent = 'North bed is clear'; tell('cleared', 'North bed'); };
}, 120);`)

// feedPage grows when its end comes into view.
func feedPage() string {
	return document("Notes", nav+`<main><h1>Notes</h1><div id="feed" role="feed"></div><p id="end">More is coming</p></main>`, `
const vocabulary = '`+strings.Join(vocabulary, " ")+`'.split(' ');
let n = 0, state = 7, coming = false;
const word = () => vocabulary[(state = (state * 69621) % 2147483647) % vocabulary.length];
function grow() {
  coming = false;
  let html = '';
  for (let i = 0; i < 20 && n < 200; i++) {
    n++;
    html += '<article class="box"><h2>Note ' + n + '</h2><p>' + Array.from({ length: 25 }, word).join(' ') + '</p><button data-n="' + n + '">Like note ' + n + '</button> <a href="/note/' + n + '">Replies to note ' + n + '</a></article>';
  }
  el('feed').insertAdjacentHTML('beforeend', html);
}
function near() {
  if (!coming && n < 200 && el('end').getBoundingClientRect().top < innerHeight + 250) { coming = true; setTimeout(grow, 150); }
}
el('feed').onclick = e => {
  const n = e.target.dataset.n;
  if (n) { e.target.textContent = 'You like note ' + n; tell('liked', +n); }
};
grow();
addEventListener('scroll', near);
setInterval(near, 300);`)
}

// gaugesPage never rests: it asks for figures five times a second.
func gaugesPage() string {
	var b strings.Builder
	b.WriteString(nav + `<main><h1>Gauges</h1><div class="shelf">`)
	for _, k := range []string{"Water", "Light", "Heat", "Wind", "Soil", "Doors", "Guests", "Cost"} {
		fmt.Fprintf(&b, `<section class="box" aria-label="%s"><h2>%[1]s</h2><p class="figure">0</p></section>`, k)
	}
	b.WriteString(`</div><p><button id="b">Confirm the alarm</button></p><p id="said" role="status"></p><table><thead><tr><th>House</th><th>Water</th><th>Light</th><th>Heat</th></tr></thead><tbody id="rows">`)
	for i := range 30 {
		fmt.Fprintf(&b, `<tr><td>house-%d</td><td>0</td><td>0</td><td>0</td></tr>`, i)
	}
	b.WriteString(`</tbody></table></main>`)
	return document("Gauges", b.String(), `
async function read() {
  try {
    const v = await (await fetch('/figures')).json();
    document.querySelectorAll('.figure').forEach((e, i) => { e.textContent = v[i]; });
    [...el('rows').rows].forEach((r, i) => { for (let k = 1; k < 4; k++) r.cells[k].textContent = v[(i + k) % 8]; });
  } catch {}
  setTimeout(read, 200);
}
read();
el('b').onclick = () => { el('said').textContent = 'The alarm is confirmed'; tell('alarm', 1); };`)
}

// sizePage has about n nodes of an accessibility tree, ten a block.
func sizePage(n int) string {
	var b strings.Builder
	b.WriteString(nav + `<main><h1>Size</h1><button id="goal">The one button</button><div>`)
	for i := range n / 10 {
		fmt.Fprintf(&b, `<div class="box"><h2>Thing %[1]d</h2><p>Words about thing %[1]d <a href="/thing/%[1]d">More of %[1]d</a></p><button>Take %[1]d</button></div>`, i)
	}
	b.WriteString(`</div></main>`)
	return document("Size", b.String(), `el('goal').onclick = () => tell('goal', 1);`)
}
