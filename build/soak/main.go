// Command soak uses Baton for long: thousands of mixed calls over many tabs
// through `baton mcp`, on pages of its own. It watches that every call is
// answered, that no click or answer goes astray, and that the host does not
// grow: file descriptors, goroutines and memory at a tenth of the way are
// compared with those at the end. At last nothing may be left running.
//
// Usage: go run ./build/soak [-calls N] [-tabs N] [-seed N] [-baton FILE] [-v]
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("soak: ")
	c := config{pause: time.Second}
	flag.IntVar(&c.calls, "calls", 10_000, "tool calls to make")
	flag.IntVar(&c.tabs, "tabs", 20, "tabs to make them in")
	flag.Uint64Var(&c.seed, "seed", uint64(time.Now().UnixNano()), "what the choice of calls follows from")
	flag.StringVar(&c.program, "baton", "build/bin/baton", "the program")
	verbose := flag.Bool("v", false, "tell each reading as it is taken")
	flag.Parse()
	c.say = func(string, ...any) {}
	if *verbose {
		c.say = log.Printf
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r, err := soak(ctx, c)
	fmt.Print(r)
	if err != nil {
		log.Fatal(err)
	}
}
