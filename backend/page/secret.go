package page

import (
	"context"
	"slices"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/fault"
	"baton/backend/inject"
)

// withheld stands for a text that could not be checked for secrets.
const withheld = "(not shown: the page does not answer, so the text cannot be checked for secrets)"

// Scrub cleans texts that the page gave by another way than its documents of
// what its secret fields hold. What cannot be checked is withheld.
func (p *Page) Scrub(ctx context.Context, texts []string) []string {
	if len(texts) == 0 {
		return texts
	}
	hidden := make([]string, len(texts))
	for i := range hidden {
		hidden[i] = withheld
	}
	ctx, cancel, err := p.reading(ctx)
	if err != nil {
		return hidden
	}
	defer cancel()
	for _, id := range append([]cdproto.FrameID{p.root}, p.frameIDs()...) {
		c, stop := soon(ctx, frameWait)
		w, err := p.world(c, id)
		var clean []string
		if err == nil {
			clean, err = inject.Scrub(c, w, texts)
		}
		stop()
		switch {
		case vanished(err) && id != p.root:
		case err != nil || len(clean) != len(texts):
			return hidden
		default:
			texts = clean
		}
	}
	return texts
}

// mayEvaluate refuses to run an agent's script where it could read a secret
// that the agent did not type itself (K6).
func (p *Page) mayEvaluate(ctx context.Context) error {
	filled, err := p.secretsFilled(ctx)
	switch {
	case err != nil:
		return err
	case filled:
		return fault.New(fault.SecretField, "a secret field of the page is or was filled, so no script may read the page").WithEffect("no").
			Then("use browser_snapshot and the other tools; they work and leave secrets out")
	}
	return nil
}

// mayTell refuses the value of a script that ran while a secret was entered.
func (p *Page) mayTell(ctx context.Context) error {
	if filled, err := p.secretsFilled(ctx); err == nil && filled {
		return fault.New(fault.SecretField, "the script ran, and meanwhile a secret field of the page was filled, so its value is not told").WithEffect("yes").
			Then("use browser_snapshot and the other tools; they work and leave secrets out")
	}
	return nil
}

// secretsFilled tells whether a secret field of the page holds, or has held since
// its document came, what the agent did not type. All documents are asked at once.
func (p *Page) secretsFilled(ctx context.Context) (bool, error) {
	main, err := p.mainWorld(ctx)
	if err != nil {
		return false, err
	}
	ids := p.frameIDs()
	inside := make([]bool, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() {
			c, stop := soon(ctx, 500*time.Millisecond)
			defer stop()
			w, err := p.world(c, id)
			if err == nil {
				// Another site's frame that does not answer: the script cannot reach into it.
				inside[i], err = inject.Filled(c, w)
			}
			inside[i] = inside[i] && err == nil
		})
	}
	filled, err := inject.Filled(ctx, main)
	wg.Wait()
	return filled || err == nil && slices.Contains(inside, true), err
}
