package agenttools

import (
	"context"
	"time"

	"baton/backend/fault"
	"baton/backend/handover"
	"baton/backend/mcpserver"
	"baton/backend/page"
	"baton/backend/tab"
	"baton/backend/tool"
)

type takeoverArgs struct {
	Tab    string `json:"tab"`
	Reason string `json:"reason"`
}

const (
	// takeoverWait is how long a call waits for the person: many clients give up
	// after a minute. One that shows progress waits longer.
	takeoverWait   = 50 * time.Second
	takeoverLong   = 5 * time.Minute
	takeoverUpdate = 10 * time.Second
)

func requestTakeover(ctx context.Context, t *Thread, a takeoverArgs) (tool.Result, error) {
	if t.deps.Handover == nil {
		return tool.Result{}, fault.New(fault.Unsupported, "nobody can be asked here").Then("tell the person what to do in the conversation")
	}
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	// The page that is asked about is awake and this agent's to use; one that the
	// person holds is asked about already, or theirs.
	err = t.on(ctx, id, tab.Op{What: "asking the person", Reads: true, Dialog: true}, lookWait, func(context.Context, *page.Page) error { return nil })
	if err != nil && !fault.Is(err, fault.InUseByPerson) {
		return tool.Result{}, err
	}
	wait := takeoverWait
	if mcpserver.Progress(ctx, "waiting for the person") {
		wait = takeoverLong
		stop := every(ctx, takeoverUpdate, func() { mcpserver.Progress(ctx, "still waiting for the person") })
		defer stop()
	}
	got, err := t.deps.Handover.Takeover(ctx, t.agent, id, a.Reason, wait)
	if err != nil {
		return tool.Result{}, err
	}
	data := map[string]any{"tab": id, "result": got.Result}
	if _, err := t.deps.Tabs.Get(id, t.actor()); err != nil && got.Result == handover.TimedOut {
		return tool.Result{Text: "timed_out: " + id + " was closed before the person answered. Go on in another tab.", Data: data}, nil
	}
	if got.Did != "" {
		data["did"] = got.Did
	}
	return tool.Result{Text: takeoverText(id, got), Data: data}, nil
}

func takeoverText(id string, got handover.Answer) string {
	switch {
	case got.Result == handover.Done && got.Did != "":
		return "done: " + got.Did
	case got.Result == handover.Done:
		return "done: the person says that it is done. Look at " + id + " anew with browser_snapshot."
	case got.Result == handover.Declined:
		return "declined: the person does not want to. Do not ask again for the same thing."
	case got.Nobody:
		return "timed_out: no window of Baton is open. Ask the person to open it: the request is shown there. Then ask again, to wait for the answer."
	case got.Stays:
		return "timed_out: no answer yet. The request stays; ask again with the same words to go on waiting."
	}
	return "timed_out: the person has not answered. Look at " + id + " anew before asking again."
}

// every runs f again and again until the returned func is called or ctx ends.
func every(ctx context.Context, d time.Duration, f func()) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(d)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				f()
			case <-ctx.Done():
				return
			}
		}
	}()
	return stop
}
