// The entries that Go calls, under one name of the isolated world.
import { added, markAdded } from "./added";
import { aim } from "./aim";
import { changes, hold, quietFor } from "./changes";
import { checked, select } from "./choose";
import { watchDeeds } from "./deeds";
import { describeAt, describeFocus, describeRef } from "./describe";
import { scopes, shadowOf } from "./dom";
import { field, focus, focused, matches } from "./field";
import { findElement, findGo, findStart, findStop } from "./finder";
import { admit, arm, disarm, install } from "./guard";
import { hit } from "./hit";
import { forgetLabels } from "./labels";
import { bannerLikely } from "./likely";
import { watchPermissions } from "./permission";
import { locate } from "./locate";
import { filled, hasText, info, ownSecret, scrub, secretBoxes, state } from "./look";
import { mark } from "./mark";
import { freePointer } from "./lock";
import { middle, watchMiddle } from "./middle";
import { read } from "./read";
import { pdf, pdfFeed } from "./pdf";
import { Numbering, element, number } from "./refs";
import { scrollState, scroller } from "./scroll";
import { watchSecrets } from "./secret";
import { settle } from "./settle";
import { interrupt } from "./time";
import { setTyped } from "./typed";
import { mute, watchSound } from "./sound";
import { surfaceClose, surfacePlan, surfaceSet, surfaceState, unfull, watchSurfaces } from "./surface";
import { walk } from "./walk";
import { watch } from "./watch";

const entries: Record<string, (a: never) => unknown> = {
  walk, number, mark, added, markAdded, element, aim, hit, arm, disarm, admit, focus, focused, field, matches, setTyped, select, checked, state, hasText, info, filled, ownSecret, scrub, secretBoxes, describe: describeRef, describeAt, describeFocus,
  findStart, findGo, findStop, findElement, unfull,
  watch, changes, hold, quiet: quietFor, settle, locate, scroller, scrollState, read, pdf, pdfFeed, bannerLikely, later, release,
  mute, surfacePlan, surfaceState, surfaceSet, surfaceClose, middle,
};

/** The page is the person's now: no press is stopped, and what an action has under way does not go on. */
function release(): void {
  disarm();
  interrupt();
}

/** Runs an entry of the second bundle, once it is loaded. */
async function later(a: { fn: string; arg: unknown }): Promise<{ missing: boolean; value?: unknown }> {
  const more = (globalThis as unknown as { __batonGuard?: Record<string, (a: unknown) => unknown> }).__batonGuard;
  return more ? { missing: false, value: await more[a.fn]!(a.arg) } : { missing: true };
}

// Each call looks at the page afresh.
for (const [name, f] of Object.entries(entries)) entries[name] = a => {
  forgetLabels();
  return f(a);
};

const world = globalThis as unknown as Record<string, unknown>;
if (!world["__baton"]) {
  world["__baton"] = entries;
  world["__batonShared"] = { Numbering, element, scopes, shadowOf };
  watchSecrets();
  watchSurfaces();
  watchMiddle();
  watchPermissions();
  watchDeeds();
  watchSound();
  freePointer();
  install();
}
