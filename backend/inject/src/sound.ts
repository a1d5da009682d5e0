// What of the document can be heard, told to the person's tab strip, and muting. Media elements only: what Web Audio plays
// cannot be known from here, nor what an element plays that is in no document.
import { scopes } from "./dom";
import { listen } from "./listen";

const BINDING = "__batonSound";
const EVENTS = ["play", "playing", "pause", "ended", "volumechange", "emptied"];
const LOOK = 1000; // ms between two looks at what plays: a video may turn out to be silent

let muted = false;
let told = false;
let timer = 0;
const playing = new Set<HTMLMediaElement>();
const silenced = new Set<HTMLMediaElement>(); // muted here, not by the page

const isMedia = (t: EventTarget | null): t is HTMLMediaElement => t instanceof HTMLMediaElement;

function heard(m: HTMLMediaElement): boolean {
  if (m.paused || m.ended || m.volume === 0 || (m.muted && !silenced.has(m))) return false;
  const decoded = (m as { webkitAudioDecodedByteCount?: number }).webkitAudioDecodedByteCount;
  return m.localName === "audio" || decoded === undefined || decoded > 0;
}

function look(): void {
  let on = false;
  for (const m of playing) {
    if (m.paused || m.ended) playing.delete(m);
    else if (heard(m)) on = true;
  }
  if (playing.size && !timer) timer = setInterval(look, LOOK) as unknown as number;
  else if (!playing.size && timer) { clearInterval(timer); timer = 0; }
  if (on === told) return;
  told = on;
  (globalThis as unknown as Record<string, ((s: string) => void) | undefined>)[BINDING]?.(on ? "on" : "off");
}

function note(m: HTMLMediaElement): void {
  if (!m.paused) playing.add(m);
  if (muted && !m.muted) {
    silenced.add(m);
    m.muted = true;
  }
}

/** Notes what plays, in open shadow roots too: their events do not leave them. */
function scan(): void {
  for (const s of scopes()) for (const m of s.querySelectorAll<HTMLMediaElement>("audio,video")) note(m);
  look();
}

export function watchSound(): void {
  for (const kind of EVENTS) listen(kind, e => {
    if (!isMedia(e.target)) return;
    note(e.target);
    look();
  }, { capture: true, passive: true });
  listen("click", e => { if (e.isTrusted) setTimeout(scan, 300); }, { capture: true, passive: true });
}

/** Keeps the document silent, or lets what was silenced here be heard again. */
export function mute(a: { on: boolean }): boolean {
  muted = a.on;
  if (muted) scan();
  else {
    for (const m of silenced) m.muted = false;
    silenced.clear();
    look();
  }
  return true;
}
