package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// kana is a small Japanese table for m17n's engine; those for Korean and Chinese
// come with it.
const kana = `(input-method ja test)
(title "kana")
(map (trans ("ni" "に") ("niho" "にほ") ("nihon" (("日本" "にほん")))))
(state (init (trans)))
`

// component tells IBus of the engines, some of which it does not list by itself.
const component = `<component><name>org.freedesktop.IBus.M17N</name><exec>/usr/libexec/ibus-engine-m17n --ibus</exec><engines>
<engine><name>m17n:ko:test</name><language>ko</language><layout>us</layout></engine>
<engine><name>m17n:zh:test</name><language>zh</language><layout>us</layout></engine>
<engine><name>m17n:ja:test</name><language>ja</language><layout>us</layout></engine>
</engines></component>`

// Input methods of the desktop at Baton's own window: IBus with m17n's tables
// turns keys into Korean, Chinese and Japanese (SPEC H2).
func TestInputMethodsInTheWindow(t *testing.T) {
	for _, file := range []string{"/usr/bin/ibus-daemon", "/usr/libexec/ibus-engine-m17n", "/usr/lib/*/gtk-3.0/3.0.0/immodules/im-ibus.so"} {
		if found, _ := filepath.Glob(file); found == nil {
			lacks(t, "there is no "+file)
		}
	}
	home := t.TempDir()
	files := map[string]string{".m17n.d/ja-test.mim": kana, "component/m17n.xml": component}
	// IBus has engines of its own for these and refuses m17n's by their names.
	for from, lang := range map[string]string{"ko-han2": "ko", "zh-py": "zh"} {
		table, err := os.ReadFile("/usr/share/m17n/" + from + ".mim")
		if err != nil {
			lacks(t, err.Error())
		}
		files[".m17n.d/"+lang+"-test.mim"] = strings.Replace(string(table), "(input-method "+strings.Replace(from, "-", " ", 1)+")", "(input-method "+lang+" test)", 1)
	}
	for name, text := range files {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := newScreen(t)
	s.env = append(s.env, "GTK_IM_MODULE=ibus", "IBUS_ADDRESS_FILE="+filepath.Join(home, "ibus"), "IBUS_COMPONENT_PATH="+filepath.Join(home, "component"), "GSETTINGS_BACKEND=memory", "HOME="+home)
	s.start(exec.Command("ibus-daemon", "--panel=disable", "--config=disable", "--emoji-extension=disable", "--cache=none"))
	p := s.sit(t)
	w := p.w
	method := func(name string) {
		t.Helper()
		p.focus()
		p.wait("IBus takes "+name, func() bool {
			cmd := exec.Command("ibus", "engine", name)
			cmd.Env = append(os.Environ(), s.env...)
			return cmd.Run() == nil
		})
	}
	for _, c := range []struct{ name, engine, keys, value, end, steps string }{
		{"Korean", "m17n:ko:test", "g k s Return", "한", "한", "ㅎ 하 한"},
		{"Chinese", "m17n:zh:test", "n i h a o space", "你好", "好", "你 h 哈 好"},
		{"Japanese", "m17n:ja:test", "n i h o n Return", "日本", "日本", "n に にほ 日本"},
	} {
		p.run(t, c.name, func(t *testing.T) {
			method(c.engine)
			p.press(strings.Fields(c.keys)...)
			w.eventually("field.value", c.value)
			w.eventually("log.filter(e => e.startsWith('untrusted')).length", "0")
			// The page saw it grow, and saw its end.
			w.eventually("log.filter(e => e.startsWith('compositionend')).at(-1)", "compositionend "+c.end)
			steps := strings.Join(strings.Fields(c.steps), ".*compositionupdate ")
			w.eventually("/compositionupdate "+steps+"/.test(log.join(' '))", "true")
		})
	}
}
