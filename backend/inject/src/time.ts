// Waiting inside the page, never longer than told.

export const sleep = (ms: number) => new Promise<void>(done => setTimeout(done, ms));

/** The next animation frame, or 250 ms in a page that draws none. */
export function frame(): Promise<void> {
  return new Promise(done => {
    let over = false;
    const end = () => { if (!over) { over = true; done(); } };
    requestAnimationFrame(end);
    setTimeout(end, 250);
  });
}
