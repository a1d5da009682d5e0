package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"baton/backend/link"
)

// serve keeps the host serving its page to a browser until it is interrupted.
func serve(o options) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	start, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := o.attach(start, o.greeting(link.Control, "serve"))
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Ask(start, link.Ask{Do: link.AskEndpoint, Port: o.port})
	if err != nil {
		return err
	}
	fmt.Printf("Open this address in a browser on this computer; it works once:\n\n  %s/?code=%s\n\nCtrl+C ends it.\n", a.URL, a.Code)
	gone := make(chan struct{})
	go func() {
		_, _ = c.R.ReadByte() // nothing comes unasked: it returns when the host ends
		close(gone)
	}()
	select {
	case <-ctx.Done():
		return nil
	case <-gone:
		return errors.New("the host has ended; run `baton serve` again")
	}
}
