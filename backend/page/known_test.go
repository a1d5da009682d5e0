package page_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	cdpinput "github.com/chromedp/cdproto/input"

	"baton/backend/page"
)

func TestThePageCannotSeeWhatTellsOfSecrets(t *testing.T) {
	p := show(t, `<input type=password autofocus><iframe srcdoc="<input type=password>"></iframe>`)
	for _, in := range []string{"globalThis", "frames[0]"} {
		if got := js(t, p, `Reflect.ownKeys(`+in+`).concat(Reflect.ownKeys(Object.getPrototypeOf(`+in+`))).map(String).filter(k => /baton/i.test(k)).join()+typeof `+in+`.__batonSecret`); got != `"undefined"` {
			t.Errorf("%s shows %s", in, got)
		}
	}
}

// each watches what the page tells of itself and fails at once where it holds a
// value; stop ends the watch.
func each(t *testing.T, p *page.Page, value string) (stop func()) {
	states, endStates := p.State.Watch()
	dialogs, endDialogs := p.Dialogs.Watch()
	end, ended := make(chan struct{}), make(chan struct{})
	part := strings.ToLower(value[:len(value)-2])
	go func() {
		defer close(ended)
		for {
			told := ""
			select {
			case <-states:
				st, _ := p.State.Get()
				told = st.Title + " " + st.URL
			case <-dialogs:
				if d, _ := p.Dialogs.Get(); d != nil {
					told = d.Message + " " + d.Default
				}
			case <-end:
				return
			}
			if strings.Contains(strings.ToLower(told), part) {
				t.Error("the page's state or dialog shows the value, or all but its end")
			}
		}
	}()
	return func() { close(end); <-ended; endStates(); endDialogs() }
}

// A page hears of each key before the field holds it, and may show what it
// heard in the same instant.
func TestWhatIsTypedIsKnownBeforeThePageCanShowIt(t *testing.T) {
	for name, script := range map[string]string{
		"keys":   `let s = ''; f.onkeydown = e => { s += e.key; document.title = s; history.replaceState(null, '', '/?k=' + s) }`,
		"input":  `f.oninput = () => { document.title = f.value; location.hash = f.value }`,
		"before": `f.onbeforeinput = e => { document.title = f.value + (e.data ?? '') }`,
		"alert":  `f.oninput = () => { if (f.value.length > 11) alert(f.value) }`,
		"prompt": `let s = ''; f.onkeydown = e => { s += e.key; if (s.length > 11) prompt(s, s) }`,
		"shadow": `const h = document.documentElement.appendChild(document.createElement('div')).attachShadow({mode: 'open'}); const g = f; h.append(g); g.oninput = () => document.title = g.value; g.focus()`,
		"moved":  `f.oninput = () => { const v = f.value; f.value = ''; document.title += v }`,
	} {
		t.Run(name, func(t *testing.T) {
			p := show(t, `<input type=password id=f autofocus><script>f.focus();`+script+`</script>`)
			ctx := within(t, 30*time.Second)
			value := strings.ToLower(rand.Text())[:12]
			stop := each(t, p, value)
			for _, r := range value {
				key := string(r)
				// No answer is waited for: a dialog holds it back.
				if _, err := p.Session().Send(ctx, "Input.dispatchKeyEvent", cdpinput.DispatchKeyEventParams{Type: cdpinput.DispatchKeyEventTypeKeyDown, Key: key, Text: key}); err != nil {
					t.Fatal(err)
				}
				if _, err := p.Session().Send(ctx, "Input.dispatchKeyEvent", cdpinput.DispatchKeyEventParams{Type: cdpinput.DispatchKeyEventTypeKeyUp, Key: key}); err != nil {
					t.Fatal(err)
				}
			}
			for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
				st, _ := p.State.Get()
				d, _ := p.Dialogs.Get()
				if strings.Contains(st.Title, "•••") || d != nil && strings.Contains(d.Message, "•••") {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("what the page shows never came; its title has %d characters", len(st.Title))
				}
			}
			stop()
			if d, _ := p.Dialogs.Get(); d != nil {
				if _, err := p.Answer(ctx, true, nil); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
