package page_test

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
)

func TestScrollSaysHowFarAndWhetherTheEndIsReached(t *testing.T) {
	p := show(t, `<div style="height:3000px">tall</div><div id=b aria-label=Box role=listbox style="height:100px;overflow:auto"><div role=option style="height:400px">inner</div></div>`)
	look(t, p)
	got, err := p.Scroll(within(t, 5*time.Second), page.ScrollArgs{DY: 500})
	if err != nil || got.DY != 500 || got.End {
		t.Errorf("%+v %v", got, err)
	}
	got, err = p.Scroll(within(t, 5*time.Second), page.ScrollArgs{To: "bottom"})
	if err != nil || !got.End || got.DY < 1000 {
		t.Errorf("%+v %v", got, err)
	}
	box := ref(t, look(t, p), `"Box"`)
	got, err = p.Scroll(within(t, 5*time.Second), page.ScrollArgs{Target: &box, DY: 5000})
	if err != nil || got.DY != 300 || !got.End {
		t.Errorf("%+v %v", got, err)
	}
	got, err = p.Scroll(within(t, 5*time.Second), page.ScrollArgs{Target: &box, DY: 50})
	if err != nil || got.DY != 0 || !strings.Contains(got.Said, "did not move") {
		t.Errorf("%+v %v", got, err)
	}
}

func TestDragMovesAndDrops(t *testing.T) {
	p := show(t, `<div id=a role=button aria-label=Slider style="position:absolute;left:20px;top:20px;width:40px;height:40px;background:red"></div>
	 <div role=button aria-label=Goal style="position:absolute;left:400px;top:200px;width:80px;height:80px;background:#eee"></div>
	 <script>let on=false; a.onpointerdown=e=>{on=true;a.setPointerCapture(e.pointerId)}; a.onpointermove=e=>{if(on){a.style.left=e.clientX-20+'px';a.style.top=e.clientY-20+'px'}}; a.onpointerup=()=>on=false</script>`)
	s := look(t, p)
	if _, err := p.Drag(within(t, 5*time.Second), ref(t, s, "Slider"), ref(t, s, "Goal")); err != nil {
		t.Fatal(err)
	}
	if got := js(t, p, "a.style.left+a.style.top"); got != `"420px220px"` {
		t.Errorf("%s", got)
	}
}

func TestDragDropsByHTMLToo(t *testing.T) {
	p := show(t, `<div draggable=true role=button aria-label=Card ondragstart="event.dataTransfer.setData('text/plain','card 1')" style="width:90px;height:40px;background:#cde">Card</div>
	 <div role=button aria-label=Lane style="margin-top:120px;width:200px;height:120px;background:#eee" ondragover="event.preventDefault()" ondrop="event.preventDefault();document.title='dropped '+event.dataTransfer.getData('text/plain')">Lane</div>`)
	s := look(t, p)
	o, err := p.Drag(within(t, 5*time.Second), ref(t, s, "Card"), ref(t, s, "Lane"))
	if err != nil || o.Title != "dropped card 1" {
		t.Errorf("%+v %v", o, err)
	}
	if o := click(t, p, ref(t, s, "Lane")); o.Said == "" {
		t.Errorf("after the drag: %+v", o)
	}
}

func TestReadGivesTheTextOfFramesToo(t *testing.T) {
	base := site(t, map[string]string{
		"/":      `<title>A</title><main><h1>News</h1><p>` + strings.Repeat("Words of the article. ", 30) + `</p><iframe title=More width=600 height=300 src="http://localhost:{port}/inner"></iframe></main>`,
		"/inner": `<p>` + strings.Repeat("Inner words. ", 20) + `</p>`,
	})
	p := goTo(t, base+"/")
	got, err := p.Read(within(t, 5*time.Second), page.ReadArgs{})
	if err != nil || !strings.Contains(got.Text, "# News") || !strings.Contains(got.Text, "Inner words") {
		t.Errorf("%v\n%s", err, got.Text)
	}
}

func TestScreenshotPaintsSecretsGray(t *testing.T) {
	base := site(t, map[string]string{
		"/":      `<title>A</title><style>body{margin:0}</style><input type=password value=hunter2 style="position:absolute;left:100px;top:100px;width:200px;height:40px;background:#f00"><iframe style="position:absolute;left:100px;top:300px;width:300px;height:150px;border:0;transform:scale(.5);transform-origin:0 0" src="http://localhost:{port}/inner"></iframe>`,
		"/inner": `<style>body{margin:0}</style><input type=password value=x style="position:absolute;left:20px;top:20px;width:100px;height:60px;background:#f00">`,
	})
	p := goTo(t, base+"/")
	for _, full := range []bool{false, true} {
		got, err := p.Screenshot(within(t, 10*time.Second), page.ShotArgs{PNG: true, FullPage: full})
		if err != nil {
			t.Fatal(err)
		}
		img, _, err := image.Decode(bytes.NewReader(got.Data))
		if err != nil || got.Width != 1280 || got.Height != 720 || got.Masked != 2 {
			t.Fatalf("%v %dx%d masked %d", err, got.Width, got.Height, got.Masked)
		}
		for _, at := range []image.Point{{150, 120}, {130, 320}} {
			if r, g, b, _ := img.At(at.X, at.Y).RGBA(); r>>8 != 0x9a || g>>8 != 0x9a || b>>8 != 0x9a {
				t.Errorf("the field at %v shows: %x %x %x", at, r>>8, g>>8, b>>8)
			}
		}
	}
}

func TestScreenshotOfAnElementIsInCSSPixels(t *testing.T) {
	p := show(t, `<div style="height:2000px"></div><button style="width:300px;height:100px">Big</button>`)
	b := ref(t, look(t, p), `"Big"`)
	got, err := p.Screenshot(within(t, 10*time.Second), page.ShotArgs{Target: &b})
	if err != nil || got.Width != 300 || got.Height != 100 || got.MIME != "image/jpeg" {
		t.Errorf("%v %dx%d %s", err, got.Width, got.Height, got.MIME)
	}
	long, err := p.Screenshot(within(t, 10*time.Second), page.ShotArgs{FullPage: true})
	if err != nil || long.Height > 1568 || long.Height < 1500 {
		t.Errorf("%v %dx%d", err, long.Width, long.Height)
	}
}

func TestUploadGivesFilesToInputsAndButtons(t *testing.T) {
	p := show(t, `<input type=file id=f style="display:none"><button onclick="f.click()">Photo</button><label>Docs <input type=file multiple id=m></label>
	 <button onclick="const i=document.createElement('input');i.type='file';i.onchange=()=>document.title=i.files[0].name;i.click()">Attach</button><button>Nothing</button>`)
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")}
	for _, f := range files {
		if err := os.WriteFile(f, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := look(t, p)
	got, err := p.Upload(within(t, 5*time.Second), ref(t, s, `"Photo"`), files[:1])
	if err != nil || len(got.Files) != 1 || got.Files[0] != "a.txt" {
		t.Errorf("%+v %v", got, err)
	}
	got, err = p.Upload(within(t, 5*time.Second), ref(t, s, "Docs"), files)
	if err != nil || len(got.Files) != 2 {
		t.Errorf("%+v %v", got, err)
	}
	got, err = p.Upload(within(t, 5*time.Second), ref(t, s, `"Attach"`), files[1:])
	if err != nil || got.Title != "b.txt" {
		t.Errorf("%+v %v", got, err)
	}
	_, err = p.Upload(within(t, 5*time.Second), ref(t, s, `"Nothing"`), files[1:])
	refused(t, err, fault.NoChooser)
}

func TestEnvironmentChangesTheLayoutAndResets(t *testing.T) {
	p := show(t, `<style>@media (prefers-color-scheme: dark){body{color:red}}</style><button>B</button>`)
	got, err := p.SetEnvironment(within(t, 5*time.Second), page.Environment{Device: "iphone 15", Orientation: "landscape", ColorScheme: "dark"})
	if err != nil || got.Width != 852 || got.Height != 393 || got.Device != "iPhone 15" {
		t.Errorf("%+v %v", got, err)
	}
	if v := js(t, p, "[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches].join()"); v != `"852,true"` {
		t.Errorf("%s", v)
	}
	if _, err = p.SetEnvironment(within(t, 5*time.Second), page.Environment{Zoom: 2}); err != nil {
		t.Fatal(err)
	}
	if v := js(t, p, "innerWidth"); v != `426` {
		t.Errorf("%s", v)
	}
	click(t, p, ref(t, look(t, p), `"B"`))
	if got, err = p.SetEnvironment(within(t, 5*time.Second), page.Environment{Reset: true}); err != nil || got.Width != 1280 || got.Fixed {
		t.Errorf("%+v %v", got, err)
	}
}

func TestEvaluateThatOpensADialogEndsAtOnce(t *testing.T) {
	p := show(t, `<p>x</p>`)
	start := time.Now()
	_, _, err := p.Evaluate(within(t, 5*time.Second), "alert('hi')", 0)
	refused(t, err, fault.DialogOpen, "hi")
	if time.Since(start) > 15*time.Second {
		t.Errorf("it took %v", time.Since(start))
	}
}

func TestWaitMeetsTextsStatesAndFunctions(t *testing.T) {
	p := show(t, `<button id=b disabled>Go</button><p id=o></p><script>setTimeout(()=>{o.textContent='Ready now';b.disabled=false;history.pushState(0,'','/done')},400)</script>`)
	b := ref(t, look(t, p), `"Go"`)
	for name, a := range map[string]page.WaitArgs{
		"text": {Text: "ready now"}, "state": {Target: &b, State: "enabled"}, "url": {URL: "*/done"}, "function": {Function: "() => !b.disabled"},
		"load": {Load: "load"}, "quiet": {Quiet: 200 * time.Millisecond}, "time": {Time: 50 * time.Millisecond}, "gone": {TextGone: "Never there"},
	} {
		if got, err := p.Wait(within(t, 5*time.Second), a); err != nil || got.Said == "" {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	_, err := p.Wait(within(t, 600*time.Millisecond), page.WaitArgs{Text: "never"})
	refused(t, err, fault.Timeout, "never")
	for _, f := range []string{"() => { throw new Error('boom') }", "(", "nothing.there"} {
		_, err := p.Wait(within(t, 20*time.Second), page.WaitArgs{Function: f})
		refused(t, err, fault.ScriptError)
	}
}
