package page_test

import (
	"strings"
	"testing"
	"time"

	"baton/backend/page"
)

// Chromium's own question whether to open another program is a dialog that no
// picture shows, and takes all input of the page.
func TestAnAddressOfAnotherProgramOpensNothingAndLeavesThePageAlive(t *testing.T) {
	for name, how := range map[string]string{
		"link":     `<a id=b href="zoommtg://x/join?secret=1">Join</a>`,
		"script":   `<button id=b onclick="location.href='zoommtg://x/join'">Join</button>`,
		"frame":    `<button id=b onclick="document.body.insertAdjacentHTML('beforeend','<iframe src=zoommtg://x></iframe>')">Join</button>`,
		"window":   `<button id=b onclick="window.open('zoommtg://x')">Join</button>`,
		"mailto":   `<a id=b href="mailto:ada@example.org">Join</a>`,
		"unheard":  `<a id=b href="never-heard-of.it:now">Join</a>`,
		"protocol": `<a id=b href="web+x:now">Join</a>`,
	} {
		t.Run(name, func(t *testing.T) {
			p := show(t, how+`<button onclick="n=(window.n||0)+1;out.textContent='pressed '+n">Go</button><p id=out></p>`)
			// Only in front of Chromium's window are there dialogs.
			if err := p.Session().Call(within(t, 5*time.Second), "Page.bringToFront", nil, nil); err != nil {
				t.Fatal(err)
			}
			s := look(t, p)
			o := click(t, p, ref(t, s, `"Join"`))
			if o.Snapshot != nil {
				t.Errorf("%+v", o)
			}
			if name != "window" && name != "frame" && !strings.Contains(strings.Join(o.Notes, "\n"), "another program") {
				t.Errorf("the agent is told %q", o.Notes)
			}
			if strings.Contains(strings.Join(o.Notes, "\n"), "join") {
				t.Errorf("the agent is told %q", o.Notes)
			}
			time.Sleep(700 * time.Millisecond) // the dialog came so late
			if err := p.Session().Call(within(t, 5*time.Second), "Page.bringToFront", nil, nil); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"pressed 1", "pressed 2"} {
				if o := click(t, p, ref(t, s, `"Go"`)); !strings.Contains(o.Changed, want) {
					t.Errorf("a press after it: %+v", o)
				}
			}
		})
	}
}

// A page that loads itself again and again asks as often, and each time for
// another program: the person is not told each time, and the page stays usable.
func TestAStormOfAddressesOfOtherProgramsIsToldOnce(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>Storm</title><script>
		n = +(location.search.slice(1) || 0)
		for (const u of ['a'.repeat(5000) + ':x', 'mailto:' + 'a'.repeat(1e6), 'intent://x#Intent;scheme=http;end', 'ms-msdt:/id', 'zoommtg:\n\nx']) {
			const f = document.createElement('iframe'); f.src = u; document.documentElement.append(f)
		}
		location.href = 'storm' + n + ':x'
		setTimeout(() => location.replace(n < 8 ? '/?' + (n + 1) : '/quiet'), 20)
	</script>`, "/quiet": `<title>Quiet</title><button onclick="this.textContent='pressed'">Go</button>`})
	p := goTo(t, base+"/quiet")
	told, stop := p.Programs.Subscribe(100)
	defer stop()
	begun := time.Now()
	if _, _, err := p.Evaluate(within(t, 5*time.Second), "setTimeout(() => location.href = '/?0')", 0); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the storm's begin", func() bool { return strings.Contains(state(p).URL, "?") })
	eventually(t, "the end of the storm", func() bool { return strings.HasSuffix(state(p).URL, "/quiet") && !state(p).Loading })
	if o := click(t, p, ref(t, look(t, p), `"Go"`)); !strings.Contains(strings.Join(o.Now, ""), "pressed") {
		t.Errorf("a press after it: %+v", o)
	}
	most := 1 + int(time.Since(begun)/(5*time.Second))
	if n := len(told); n == 0 || n > most {
		t.Errorf("the person is told %d times, and %d are enough", n, most)
	}
	for len(told) > 0 {
		if url := <-told; !page.Opens(url) {
			t.Errorf("%.60q is offered", url)
		}
	}
}

func TestOnlyAddressesOfOtherProgramsAreOpenedByThem(t *testing.T) {
	for url, want := range map[string]bool{
		"mailto:ada@example.org": true, "zoommtg://x/join?y=1": true, "web+x:now": true, "tel:+4612": true,
		"https://x.example/": false, "file:///etc/passwd": false, "javascript:alert(1)": false, "data:text/html,x": false, "": false, "x": false, ":x": false,
		"-x:now": false, "a b:c": false, "mailto:a\nb": false, "ms-msdt:/id": false, "search-ms:query=x": false, "chrome://settings": false, "devtools://x": false,
		"mailto:" + strings.Repeat("a", 5000): false,
	} {
		if got := page.Opens(url); got != want {
			t.Errorf("%.60q: %v", url, got)
		}
	}
}

// What Chromium would ask in dialogs of its own must not take the input of the
// page: nobody sees them.
func TestNoDialogOfChromiumsOwnTakesThePagesInput(t *testing.T) {
	const key = "{publicKey:{challenge:new Uint8Array(16),rp:{name:'a'},user:{id:new Uint8Array(8),name:'a',displayName:'a'},pubKeyCredParams:[{type:'public-key',alg:-7}],timeout:3000}}"
	asks := map[string]string{
		"passkey":   "navigator.credentials.create(" + key + ")",
		"sign-in":   "navigator.credentials.get({publicKey:{challenge:new Uint8Array(16),timeout:3000}})",
		"password":  "navigator.credentials.store(new PasswordCredential({id:'ada',password:'not-kept'}))",
		"screen":    "navigator.mediaDevices.getDisplayMedia()",
		"print":     "print()",
		"usb":       "navigator.usb.requestDevice({filters:[]})",
		"hid":       "navigator.hid.requestDevice({filters:[]})",
		"serial":    "navigator.serial.requestPort()",
		"bluetooth": "navigator.bluetooth.requestDevice({acceptAllDevices:true})",
		"payment":   "new PaymentRequest([{supportedMethods:'https://localhost/pay'}],{total:{label:'a',amount:{currency:'EUR',value:'1'}}}).show()",
		"contact":   "navigator.contacts.select(['name'])",
		"folder":    "showDirectoryPicker()",
		"save":      "showSaveFilePicker()",
		"protocol":  "navigator.registerProtocolHandler('web+x', location.origin + '/%s')",
		"identity":  "navigator.credentials.get({identity:{providers:[{configURL:location.origin+'/x.json',clientId:'a'}]}})",
		"windows":   "getScreenDetails()",
		"fonts":     "queryLocalFonts()",
		"idle":      "IdleDetector.requestPermission()",
		"midi":      "navigator.requestMIDIAccess({sysex:true})",
		"storage":   "document.requestStorageAccess()",
		"keep":      "navigator.storage.persist()",
		"dropper":   "new EyeDropper().open()",
		"pip":       "documentPictureInPicture.requestWindow()",
		"full":      "document.documentElement.requestFullscreen()",
		"awake":     "navigator.wakeLock.request()",
	}
	for name, ask := range asks {
		t.Run(name, func(t *testing.T) {
			base := site(t, map[string]string{"/": `<title>Test</title><button onclick="(async()=>` + strings.ReplaceAll(ask, `"`, "&quot;") + `)().catch(()=>{})">Ask</button>
				<button onclick="n=(window.n||0)+1;out.textContent='pressed '+n">Go</button><p id=out></p>`})
			p := goTo(t, strings.Replace(base, "127.0.0.1", "localhost", 1)+"/")
			front := func() {
				t.Helper()
				if err := p.Session().Call(within(t, 5*time.Second), "Page.bringToFront", nil, nil); err != nil {
					t.Fatal(err)
				}
			}
			front()
			s := look(t, p)
			click(t, p, ref(t, s, `"Ask"`))
			time.Sleep(700 * time.Millisecond) // dialogs came so late
			front()
			for _, want := range []string{"pressed 1", "pressed 2"} {
				if o := click(t, p, ref(t, s, `"Go"`)); !strings.Contains(o.Changed, want) {
					t.Errorf("a press after it: %+v", o)
				}
			}
		})
	}
}
