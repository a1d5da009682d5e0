// The text of a PDF, by PDF.js, in the isolated world of the document that shows it: a renderer's own process and sandbox
// bear what a hostile file costs. build.mjs bounds every single block of memory that PDF.js asks for (see Bytes there).
import { getDocument, PasswordException, VerbosityLevel } from "pdfjs-dist/build/pdf.min.mjs";
import { WorkerMessageHandler } from "pdfjs-dist/build/pdf.worker.min.mjs";
import type { PDFDocumentProxy } from "pdfjs-dist";

export interface Found { pages: string[]; count: number; title: string; error: "" | "fetch" | "password" | "large" | "broken"; whole: boolean }

interface Args { ms: number; pages: boolean; bytes: number; chars: number }

const world = globalThis as unknown as { pdfjsWorker: unknown; __batonPDF: { find(a: Args): Promise<Found>; feed(base64: string, end: boolean): void } };
world.pdfjsWorker = { WorkerMessageHandler };

// What is known of the document: pages already read stay read, so that a long file goes on where it stopped.
let opened: Promise<PDFDocumentProxy> | undefined;
let name = "";
const pages: string[] = [];
let length = 0;
let busy: Promise<unknown> = Promise.resolve();
const fed: Uint8Array<ArrayBuffer>[] = [];
let whole = false;

class Refused extends Error {
  constructor(readonly why: Found["error"]) { super(why); }
}

/** Takes the file in pieces, where the page's own policy keeps it from being fetched. */
function feed(base64: string, end: boolean): void {
  fed.push(Uint8Array.from(atob(base64), c => c.charCodeAt(0)));
  whole = end;
}

async function bytes(most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (whole) return new Uint8Array(await new Blob(fed.splice(0)).arrayBuffer());
  let r: Response;
  try {
    r = await fetch(location.href, { cache: "force-cache" });
  } catch {
    throw new Refused("fetch");
  }
  if (!r.ok || !r.body) throw new Refused("fetch");
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of r.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += part.length;
    if (size > most) throw new Refused("large");
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function open(most: number): Promise<PDFDocumentProxy> {
  const data = await bytes(most);
  return getDocument({
    data, verbosity: VerbosityLevel.ERRORS, disableFontFace: true, useSystemFonts: false, useWasm: false, enableXfa: false, stopAtErrors: false,
    isOffscreenCanvasSupported: false, isImageDecoderSupported: false, maxImageSize: 1 << 20, useWorkerFetch: false,
  }).promise;
}

async function textOf(doc: PDFDocumentProxy, n: number): Promise<string> {
  const page = await doc.getPage(n);
  const content = await page.getTextContent();
  let s = "";
  for (const item of content.items) if ("str" in item) s += item.str + (item.hasEOL ? "\n" : "");
  page.cleanup();
  return s.replace(/[^\S\n]+/g, " ").replace(/ *\n */g, "\n").replace(/\n{3,}/g, "\n\n").trim();
}

async function find(a: Args): Promise<Found> {
  const before = busy;
  let done = () => {};
  busy = new Promise<void>(r => { done = r; });
  await before;
  const out: Found = { pages, count: 0, title: name, error: "", whole: false };
  try {
    const end = performance.now() + a.ms;
    const doc = await (opened ??= open(a.bytes));
    out.count = doc.numPages;
    if (!name) {
      const info = (await doc.getMetadata().catch(() => null))?.info as { Title?: unknown } | undefined;
      name = typeof info?.Title === "string" ? info.Title.slice(0, 200) : "";
    }
    out.title = name;
    while (a.pages && pages.length < doc.numPages && length < a.chars && performance.now() < end) {
      // A page that cannot be read leaves a gap, not an end.
      const text = await textOf(doc, pages.length + 1).catch(() => "");
      pages.push(text);
      length += text.length;
    }
    out.whole = pages.length >= doc.numPages;
  } catch (e) {
    opened = undefined;
    out.error = e instanceof Refused ? e.why : e instanceof PasswordException ? "password" : "broken";
  } finally {
    done();
  }
  return out;
}

world.__batonPDF ??= { find, feed };
