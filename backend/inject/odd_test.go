package inject_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"baton/backend/inject"
)

func TestOddDocuments(t *testing.T) {
	for name, c := range map[string]struct{ kind, body, want string }{
		"svg":      {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><title>Drawing</title><text>Hi</text><a href="/x"><text>Go</text></a></svg>`, ""},
		"xml":      {"application/xml", `<r><a>one</a><b>two</b></r>`, ""},
		"text":     {"text/plain", "plain words", "plain words"},
		"frameset": {"text/html", `<frameset cols="50%,50%"><frame src="about:blank" name="left"><frame src="about:blank" name="right"></frameset>`, `- iframe "left" [e`},
		"empty":    {"text/html", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				fmt.Fprint(w, c.body)
			}))
			defer srv.Close()
			tb := visit(t, srv.URL)
			contains(t, tb.snap(inject.WalkArgs{}), c.want)
			if _, err := inject.Read(tb.ctx, tb, inject.ReadArgs{}); err != nil {
				t.Error(err)
			}
			if _, err := inject.Info(tb.ctx, tb); err != nil {
				t.Error(err)
			}
			if err := inject.Watch(tb.ctx, tb); err != nil {
				t.Error(err)
			}
			if c, _ := tb.changes(inject.ChangesArgs{}); !c.Empty {
				t.Errorf("%+v", c)
			}
			if _, err := inject.HasText(tb.ctx, tb, "words"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDeepAndHostileDocuments(t *testing.T) {
	tb := open(t, `<div id=a></div><script>
	let p=a;for(let i=0;i<1500;i++){const d=document.createElement('div');d.append('t'+i);p.append(d);p=d}p.innerHTML='<button>Bottom</button>';
	Array.prototype.push=()=>{throw 1};Object.defineProperty(Element.prototype,'getAttribute',{value(){throw 2}});Map.prototype.get=null;window.getComputedStyle=null;window.__baton={walk(){throw 3}};
	</script>`)
	contains(t, tb.snap(inject.WalkArgs{}), "t0", "more")
	if err := inject.Watch(tb.ctx, tb); err != nil {
		t.Fatal(err)
	}
	tb.eval(`a.innerHTML='<button>New</button>'`, nil)
	_, s := tb.changes(inject.ChangesArgs{})
	contains(t, s, `- button "New" [e`)
	if r, err := inject.Read(tb.ctx, tb, inject.ReadArgs{}); err != nil || !strings.Contains(r.Text, "New") && r.Text != "" {
		t.Errorf("%+v %v", r, err)
	}
}

func TestManyMutationsStayBounded(t *testing.T) {
	tb := open(t, `<main id=m></main>`)
	tb.snap(inject.WalkArgs{})
	if err := inject.Watch(tb.ctx, tb); err != nil {
		t.Fatal(err)
	}
	tb.eval(`for(let i=0;i<30000;i++){const b=document.createElement('button');b.textContent='B'+i;m.append(b)}`, nil)
	c, s := tb.changes(inject.ChangesArgs{MaxMS: 300})
	contains(t, s, `- button "B0" [e`, "more like this)", `- button "B29999" [e`)
	if len(s) > 2300 || c.Mutations < 30000 {
		t.Errorf("%d mutations, %d characters", c.Mutations, len(s))
	}
}

func TestNeverIdlePageAnswersInTime(t *testing.T) {
	tb := open(t, `<main><p id=p>0</p><button>Ok</button></main><script>let i=0;setInterval(()=>p.textContent=++i,5)</script>`)
	tb.snap(inject.WalkArgs{})
	if err := inject.Watch(tb.ctx, tb); err != nil {
		t.Fatal(err)
	}
	c, s := tb.changes(inject.ChangesArgs{QuietMS: 50, MaxMS: 300})
	contains(t, s, "changed")
	if !c.Busy || c.WaitedMS < 280 || c.WaitedMS > 1500 {
		t.Errorf("%+v", c)
	}
	c, _ = tb.changes(inject.ChangesArgs{})
	if !c.Unwatched {
		t.Error("watching goes on without Keep")
	}
}
