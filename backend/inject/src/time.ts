// Waiting inside the page, never longer than told. What waits ends when the person takes the page over.

let taken = 0;

/** Ends what an action has under way in this document: whatever waits does not go on. */
export function interrupt(): void { taken++; }

/** Goes on unless the page was taken over since then. */
function unless(then: number, done: () => void, ended: (e: Error) => void): void {
  if (then === taken) done();
  else ended(new Error("the person took over"));
}

export function sleep(ms: number): Promise<void> {
  const then = taken;
  return new Promise((done, ended) => setTimeout(() => unless(then, done, ended), ms));
}

/** The next animation frame, or 250 ms in a page that draws none. */
export function frame(): Promise<void> {
  const then = taken;
  return new Promise((done, ended) => {
    let over = false;
    const end = () => { if (!over) { over = true; unless(then, done, ended); } };
    requestAnimationFrame(end);
    setTimeout(end, 250);
  });
}
