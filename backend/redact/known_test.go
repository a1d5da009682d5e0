package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

func backwards(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

func bytewise(s, format, sep string) string {
	var out []string
	for _, b := range []byte(s) {
		out = append(out, fmt.Sprintf(format, b))
	}
	return strings.Join(out, sep)
}

func each(s, format, sep string) string {
	var out []string
	for _, r := range s {
		out = append(out, fmt.Sprintf(format, r))
	}
	return strings.Join(out, sep)
}

// encodings are the forms in which a page may show a value.
func encodings(v string) map[string]string {
	quoted, _ := json.Marshal(v)
	list, _ := json.Marshal(strings.Split(v, ""))
	return map[string]string{
		"itself": v, "upper case": strings.ToUpper(v), "lower case": strings.ToLower(v), "reversed": backwards(v),
		"percent": url.QueryEscape(v), "path": url.PathEscape(v), "all percent": bytewise(v, "%%%02x", ""), "twice percent": bytewise(v, "%%25%02X", ""),
		"base64": base64.StdEncoding.EncodeToString([]byte(v)), "base64 in front": base64.StdEncoding.EncodeToString([]byte("pw=" + v + "&x=1")),
		"base64 by one": base64.StdEncoding.EncodeToString([]byte("1" + v + "zz")), "base64 by two": base64.RawURLEncoding.EncodeToString([]byte("12" + v)),
		"hex": hex.EncodeToString([]byte(v)), "hex in upper case": strings.ToUpper(hex.EncodeToString([]byte(v))), "hex bytes": bytewise(v, "%02x", " "), "code points in hex": each(v, "%x", " "), "0x": each(v, "0x%x", ", "),
		"codes": each(v, "%d", ","), "points": each(v, "U+%04X", " "),
		"HTML": html.EscapeString(v), "numeric entities": each(v, "&#%d;", ""), "hex entities": each(v, "&#x%x;", ""),
		"JSON": string(quoted), "JSON list": string(list), "unicode escapes": each(v, `\u%04x`, ""), "escaped twice": each(v, `\\u%04x`, ""), "x escapes": each(v, `\x%02x`, ""),
		"dashes": each(v, "%c", "-"), "dots": each(v, "%c", " . "), "lines": each(v, "%c", "\n"), "invisible": each(v, "%c", "\u200b"),
	}
}

func TestAValueIsFoundInEveryForm(t *testing.T) {
	long := ""
	for i := range 400 {
		long += fmt.Sprintf("%d-Value!", i)
	}
	for _, v := range []string{"hunter2-SENTINEL", "Tr0ub4dor&3", "4111 1111 1111 1111", "p@ss<w>\"ord'%41", "пароль-дня", "1234", long} {
		var k Known
		k.Add(v, Seen{Group: "t", Site: "s"})
		for name, text := range encodings(v) {
			if len([]rune(v)) < 8 && strings.HasPrefix(name, "base64 ") {
				continue // too little of it stays the same
			}
			got := k.Text("before "+text+" after", "")
			if !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") || !strings.Contains(got, dots) {
				t.Errorf("%d characters, %s: %.80q", len(v), name, got)
			}
			// What is left is no more than marks between the dots.
			left := strings.TrimSuffix(strings.TrimPrefix(got, "before "), " after")
			if n := len(tightOf(left)); n > 3 {
				t.Errorf("%d characters, %s: %d letters and digits stay: %.80q", len(v), name, n, left)
			}
		}
	}
}

func TestAValueSpreadOverTextsIsFound(t *testing.T) {
	var k Known
	k.Add("hunter2", Seen{Group: "t"})
	list := strings.Split("Your word is:|h|u|n|t|e|r|2|Next", "|")
	refs := make([]*string, len(list))
	for i := range list {
		refs[i] = &list[i]
	}
	if found, foreign := k.Pieces(refs, ""); !found || !foreign {
		t.Fatal("not found")
	}
	if got := strings.Join(list, "|"); got != "Your word is:"+strings.Repeat("|"+dots, 7)+"|Next" {
		t.Error(got)
	}
	if got := k.Text("1. h\n2. u\n3. n\n4. t\n5. e\n6. r\n7. 2\n", ""); strings.Contains(got, "h\n") {
		t.Errorf("a numbered list: %q", got)
	}
}

func TestOrdinaryTextStays(t *testing.T) {
	var k Known
	for _, v := range []string{"here", "1227", "stone", "hunter2-SENTINEL", "12"} {
		k.Add(v, Seen{Group: "t"})
	}
	for _, s := range []string{
		"the rest of the story", "12 apples, 27 pears", "a hunt in the woods, a hunter", "Best one of all", "tel. 12/2 7",
		"https://a.example/hunter?q=1", "SGVsbG8gd29ybGQ=", "",
	} {
		if got := k.Text(s, "t"); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestBeginningsCountWhereTheValueWasSeen(t *testing.T) {
	var k Known
	k.Add("hunter2-SENTINEL", Seen{Group: "t"})
	for _, s := range []string{"hunter2-S", "title hunter2-SENT.", "xxhunter2-SENTIxx"} {
		if got := k.Text(s, "t"); strings.Contains(got, "hunter") {
			t.Errorf("in the same group: %q", got)
		}
		if got := k.Text(s, "other"); got != s {
			t.Errorf("in another group: %q", got)
		}
	}
	// An agent cannot guess a value from its beginning on.
	k.Say("is it hunter2-SENT or hunter2-SENX?")
	if got := k.Text("hunter2-SENT", "t"); got != "hunter2-SENT" {
		t.Errorf("what the agent wrote: %q", got)
	}
	if got := k.Text("hunter2-SENTIN", "t"); got != dots {
		t.Errorf("what it did not write: %q", got)
	}
}

func TestTypingCountsAsOneValue(t *testing.T) {
	var k Known
	was := ""
	for i := range len("hunter2-SENTINEL") {
		now := "hunter2-SENTINEL"[:i+1]
		k.Add(now, Seen{Group: "t", Was: was})
		was = now
	}
	if len(k.entries) != 1 {
		t.Errorf("%d values", len(k.entries))
	}
	k.Add("other-value", Seen{Group: "t", Was: was})
	if got := k.Text("hunter2-SENTINEL other-value", ""); got != dots+" "+dots {
		t.Errorf("after another value: %q", got)
	}
}

func TestOwnValuesAreToldApart(t *testing.T) {
	var k Known
	k.Add("agents-own", Seen{Group: "t", Own: true})
	s := "agents-own"
	if found, foreign := k.Pieces([]*string{&s}, ""); !found || foreign {
		t.Errorf("found %v, foreign %v", found, foreign)
	}
	k.Add("agents-own", Seen{Group: "t"})
	s = "agents-own"
	if _, foreign := k.Pieces([]*string{&s}, ""); !foreign {
		t.Error("the person's is taken for the agent's")
	}
}

func TestWipeForgets(t *testing.T) {
	var k Known
	k.Add("hunter2", Seen{})
	if k.Text("hunter2", "") != dots {
		t.Fatal("not known")
	}
	k.Wipe()
	if k.Some() || k.Text("hunter2", "") != "hunter2" {
		t.Error("still known")
	}
	var none *Known
	if none.Text("hunter2", "") != "hunter2" {
		t.Error("no set knows something")
	}
}

func TestASiteCannotPushOutAnothersValues(t *testing.T) {
	var k Known
	k.Add("the-persons-value", Seen{Site: "bank"})
	for i := range 3 * mostOfSite {
		k.Add(fmt.Sprintf("flood-%d-flood", i), Seen{Site: "hostile"})
	}
	if len(k.entries) != mostOfSite+1 {
		t.Errorf("%d values are kept", len(k.entries))
	}
	if k.Text("the-persons-value", "") != dots {
		t.Error("pushed out")
	}
	start := time.Now()
	k.Text(strings.Repeat("flood-flood word and more ", 4000), "")
	t.Logf("100,000 characters among %d values: %v", len(k.entries), time.Since(start))
}

func TestValuesOfOneCharacterOverAndOverTakeNoTime(t *testing.T) {
	var k Known
	for n := 1000; n < longestKept; n += 500 {
		k.Add(strings.Repeat("a", n), Seen{Group: "t"})
	}
	start := time.Now()
	if got := k.Text(strings.Repeat("a", 100_000), "t"); got != dots {
		t.Errorf("%d characters stay", len(got))
	}
	k.Text(strings.Repeat("YWFh", 25_000), "t")
	t.Logf("it took %v", time.Since(start))
}

func FuzzKnown(f *testing.F) {
	f.Add("hunter2", "say %68unter2 \\u{68} &#104; &amp; hunter2")
	f.Add("!!!!", "a!!!!b\xff")
	f.Fuzz(func(t *testing.T, v, s string) {
		var k Known
		k.Add(v, Seen{Group: "g"})
		got := k.Text(s, "g")
		if len([]rune(v)) >= shortest && strings.TrimSpace(v) != "" && strings.ToValidUTF8(v, "") == v && strings.Contains(got, v) && !strings.Contains(dots, v) && !strings.Contains(v, "•") {
			t.Errorf("%q stays in %q", v, got)
		}
	})
}

func BenchmarkKnown(b *testing.B) {
	text := strings.Repeat("- button \"Add to cart\" [e12]\n  - text: some words of a page, 12.50\n", 300)
	for _, n := range []int{0, 1, 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var k Known
			for i := range n {
				k.Add(fmt.Sprintf("value-%d-hunter", i), Seen{Group: "t"})
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				k.Text(text, "t")
			}
		})
	}
}
