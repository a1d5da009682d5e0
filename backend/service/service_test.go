package service

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestStopEndsPartsInReverse(t *testing.T) {
	var order []string
	g := New(t.Context(), slog.New(slog.DiscardHandler))
	for _, name := range []string{"first", "second", "third"} {
		g.Go(name, func(ctx context.Context) error {
			<-ctx.Done()
			order = append(order, name)
			return nil
		})
	}
	if err := g.Stop(time.Second); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, " "); got != "third second first" {
		t.Errorf("ended as %s", got)
	}
	g.Go("late", func(context.Context) error { t.Error("a part started after Stop"); return nil })
}

func TestStopNamesThePartThatStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(t.Context(), slog.New(slog.DiscardHandler))
		block := make(chan struct{})
		g.Go("stubborn", func(context.Context) error { <-block; return nil })
		err := g.Stop(time.Minute)
		if err == nil || !strings.Contains(err.Error(), "stubborn") {
			t.Errorf("got %v", err)
		}
		close(block)
	})
}

func TestAPanicEndsOnePartAndIsLogged(t *testing.T) {
	var log bytes.Buffer
	g := New(t.Context(), slog.New(slog.NewTextHandler(&log, nil)))
	g.Go("bad", func(context.Context) error { panic("ouch") })
	ran := make(chan struct{})
	g.Go("good", func(ctx context.Context) error { close(ran); <-ctx.Done(); return nil })
	<-ran
	if err := g.Stop(time.Second); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "ouch") || !strings.Contains(log.String(), "bad") {
		t.Errorf("the log says %q", log.String())
	}
}
