package app

import (
	"os"
	"testing"
)

func TestWindowKeepsItsSize(t *testing.T) {
	data := t.TempDir()
	first := loadPlace(data)
	if first.Width < minWidth || first.Height < minHeight {
		t.Errorf("the first size is %+v", first)
	}
	want := place{Width: 900, Height: 700, Maximised: true}
	savePlace(data, want)
	if got := loadPlace(data); got != want {
		t.Errorf("kept %+v, want %+v", got, want)
	}
	for _, damaged := range []string{"", "{", `{"width":3,"height":3}`, `{"width":99999,"height":700}`} {
		if err := os.WriteFile(placeFile(data), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := loadPlace(data); got != first {
			t.Errorf("%q gives %+v", damaged, got)
		}
	}
}
