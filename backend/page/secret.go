package page

import (
	"context"
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
	for _, id := range append([]cdproto.FrameID{p.root}, p.frameIDs()...) {
		c, stop := soon(ctx, 500*time.Millisecond)
		w, err := p.world(c, id)
		var facts inject.Facts
		if err == nil {
			facts, err = inject.Info(c, w)
		}
		stop()
		if err != nil {
			if id == p.root {
				return err
			}
			continue // another site's frame that does not answer: the script cannot reach into it
		}
		p.mu.Lock()
		own := p.typedSecret[w.unique]
		p.mu.Unlock()
		if facts.SecretsFilled && !own {
			return fault.New(fault.SecretField, "a secret field of the page is filled, so no script may read the page").WithEffect("no").
				Then("use browser_snapshot and the other tools; they work and leave secrets out")
		}
	}
	return nil
}

// ownSecret notes that what secret fields of a document hold was typed by the
// agent.
func (p *Page) ownSecret(w *world) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.typedSecret) > 100 {
		clear(p.typedSecret)
	}
	p.typedSecret[w.unique] = true
}
