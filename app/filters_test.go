package app

import (
	"slices"
	"testing"
)

func TestFiltersFollowWhatAPageAccepts(t *testing.T) {
	for _, x := range []struct {
		accept    []string
		has, none []string
	}{
		{[]string{".pdf", "image/*"}, []string{"*.pdf", "*.PDF", "*.png", "*.JPEG"}, []string{"*.txt"}},
		{[]string{"image/jpeg"}, []string{"*.jpg", "*.jpeg"}, []string{"*.png"}},
		{[]string{"application/pdf"}, []string{"*.pdf"}, nil},
		{[]string{".tar.gz"}, []string{"*.tar.gz"}, nil},
	} {
		got := patterns(x.accept)
		for _, p := range x.has {
			if !slices.Contains(got, p) {
				t.Errorf("%q gives %q, without %s", x.accept, got, p)
			}
		}
		for _, p := range x.none {
			if slices.Contains(got, p) {
				t.Errorf("%q gives %q, with %s", x.accept, got, p)
			}
		}
	}
	for _, any := range [][]string{nil, {"*"}, {"*/*"}, {"application/x-nobody-knows"}, {".pdf", "application/x-nobody-knows"}, {". pdf;*"}} {
		if got := patterns(any); len(got) > 0 {
			t.Errorf("%q hides files: %q", any, got)
		}
	}
}
