// The main text of a document as Markdown.
import { childrenOf, isVisible } from "./dom";
import { nameOf } from "./names";
import { element, numberOf } from "./refs";
import { roleOf } from "./roles";
import { isSecret, loadMasks, mask, sweep } from "./secret";
import { fold, sound, squeeze } from "./text";
import { modalRoots, pageRoots, title } from "./walk";

interface Args { ref?: number; query?: string; offset?: number; max?: number }

const SKIP = new Set("script style noscript template head meta link title svg canvas audio video object embed datalist input select textarea button progress meter dialog".split(" "));
const ASIDE = new Set("nav footer aside header".split(" "));
const BLOCK = new Set("address article aside blockquote details dialog dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table ul legend caption".split(" "));

export function read(a: Args) {
  sweep();
  loadMasks();
  const out = { text: "", total: 0, end: 0, gone: false, matches: 0, title: title(), frames: [] as number[] };
  let root: Element | null;
  let all = true;
  if (a.ref) {
    root = element(a.ref);
    if (!root) return { ...out, gone: true };
  } else {
    [root, all] = mainOf();
    if (!root) return out;
  }
  // Outlines cut a field's long value short: here is all of it.
  if (a.ref && (root.localName === "textarea" || root.localName === "input")) return { ...out, ...portion(isSecret(root) ? "" : mask(sound((root as HTMLTextAreaElement).value)), a) };
  const w = new Writer(out.frames, all);
  w.block(root, "");
  return { ...out, ...portion(mask(sound(w.text())), a) };
}

/** The part of a text that was asked for: the passages around matches, or what follows an offset, cut where words end. */
export function portion(text: string, a: { query?: string; offset?: number; max?: number }) {
  const out = { text: "", total: 0, end: 0, matches: 0 };
  if (a.query?.trim()) [text, out.matches] = passages(text, a.query);
  out.total = text.length;
  const from = Math.min(Math.max(0, a.offset ?? 0), text.length);
  let end = Math.min(text.length, from + (a.max || 8000));
  if (end < text.length) {
    const half = from + (end - from) / 2;
    const at = [text.lastIndexOf("\n\n", end), text.lastIndexOf("\n", end), text.lastIndexOf(" ", end)].find(i => i > half);
    if (at !== undefined) end = at;
    else if (/[\udc00-\udfff]/.test(text[end] ?? "")) end--;
  }
  out.text = text.slice(from, end).replace(/^\n+/, "");
  while (text[end] === "\n") end++;
  out.end = end;
  return out;
}

// The part of the page that its text is in; false says to leave out navigation and the like.
function mainOf(): [Element | null, boolean] {
  const modal = modalRoots()[0];
  if (modal) return [modal, true];
  const body = pageRoots()[0] ?? null;
  if (!body) return [null, true];
  const size = (e: Element) => (e.textContent ?? "").length;
  const mains = [...document.querySelectorAll("main,[role=main]")].filter(isVisible);
  if (mains.length === 1 && size(mains[0]!) > 60) return [mains[0]!, true];
  const articles = [...document.querySelectorAll("article,[role=article]")].filter(isVisible);
  if (articles.length === 1 && size(articles[0]!) > size(body) * 0.3) return [articles[0]!, true];
  return [body, false];
}

class Writer {
  private out: string[] = [];
  private line = "";

  constructor(private frames: number[], private all: boolean) {}

  text(): string {
    this.end("");
    return this.out.join("\n").replace(/\n{3,}/g, "\n\n").trim();
  }

  private end(prefix: string): void {
    const s = this.line.replace(/[ \t\r\n\f\u200b]+/g, " ").trim();
    this.line = "";
    if (s) this.out.push(prefix + s.replaceAll("\u0001", "\n" + prefix.replace(/[^\s>]/g, " ")), "");
  }

  /** One element and what is in it; prefix stands before each of its lines. */
  block(el: Element, prefix: string, depth = 0): void {
    for (const n of childrenOf(el)) {
      if (n.nodeType === 3) { this.line += n.nodeValue; continue; }
      if (n.nodeType !== 1 || depth > 400) continue;
      this.node(n as Element, prefix, depth);
    }
  }

  private node(el: Element, prefix: string, depth: number): void {
    const tag = el.localName;
    if (tag === "br") { this.line += "\u0001"; return; }
    if (tag === "iframe") { const n = numberOf(el); if (n && isVisible(el)) { this.end(prefix); this.out.push(`${prefix}[frame e${n}]`, ""); this.frames.push(n); } return; }
    if (SKIP.has(tag) && !(tag === "dialog" && (el as HTMLDialogElement).open)) return;
    if (el.hasAttributes() && (el.getAttribute("aria-hidden") === "true" || el.hasAttribute("inert"))) return;
    const cs = getComputedStyle(el);
    if (cs.display === "none" || cs.visibility !== "visible" && !el.firstElementChild) return;
    if (!this.all && ASIDE.has(tag) && depth < 8) return;
    if (tag === "details" && !(el as HTMLDetailsElement).open) { const s = el.querySelector("summary"); if (s) { this.end(prefix); this.block(s, prefix, depth + 1); this.end(prefix); } return; }
    const role = el.hasAttribute("role") ? roleOf(el) : "";
    if (role === "button" || role === "navigation" && !this.all) return;
    const h = /^h([1-6])$/.exec(tag) ?? (role === "heading" ? ["", el.getAttribute("aria-level") ?? "2"] : null);
    if (h) { this.end(prefix); this.block(el, prefix, depth + 1); this.end(prefix + "#".repeat(Math.min(6, Number(h[1]) || 2)) + " "); return; }
    switch (tag) {
      case "a": this.link(el, prefix, depth); return;
      case "img": { const alt = squeeze(el.getAttribute("alt") ?? ""); if (alt) this.line += ` ![${alt}] `; return; }
      case "strong": case "b": this.wrap(el, "**", prefix, depth); return;
      case "em": case "i": this.wrap(el, "*", prefix, depth); return;
      case "code": case "kbd": case "samp": if (el.closest("pre")) break; this.wrap(el, "`", prefix, depth); return;
      case "pre": this.end(prefix); this.out.push(prefix + "```", ...(el.textContent ?? "").replace(/\n$/, "").split("\n").map(l => prefix + l), prefix + "```", ""); return;
      case "blockquote": this.end(prefix); this.block(el, prefix + "> ", depth + 1); this.end(prefix + "> "); return;
      case "hr": this.end(prefix); this.out.push(prefix + "---", ""); return;
      case "ul": case "ol": case "menu": this.list(el, prefix, tag === "ol", depth); return;
      case "dt": this.end(prefix); this.block(el, prefix, depth + 1); this.line = `**${squeeze(this.line)}**`; this.end(prefix); return;
      case "table": if (role !== "presentation" && role !== "none" && this.table(el as HTMLTableElement, prefix)) return; break;
    }
    const block = BLOCK.has(tag) || /^(block|flex|grid|list-item|table|table-row|flow-root)$/.test(cs.display);
    if (!block) {
      this.block(el, prefix, depth + 1);
      if (cs.display !== "inline" && cs.display !== "contents") this.line += " ";
      return;
    }
    this.end(prefix);
    this.block(el, prefix, depth + 1);
    this.end(prefix);
  }

  private wrap(el: Element, mark: string, prefix: string, depth: number): void {
    const before = this.line;
    this.line = "";
    this.block(el, prefix, depth + 1);
    const s = squeeze(this.line);
    const lead = /^\s/.test(this.line) ? " " : "";
    const tail = /\s$/.test(this.line) ? " " : "";
    this.line = before + (s ? lead + mark + s + mark + tail : tail);
  }

  private link(el: Element, prefix: string, depth: number): void {
    if (el.querySelector("h1,h2,h3,h4,h5,h6,p,div,ul,table")) { this.block(el, prefix, depth + 1); return; }
    const before = this.line;
    this.line = "";
    this.block(el, prefix, depth + 1);
    const s = squeeze(this.line.replaceAll("\u0001", " ")) || nameOf(el, "link");
    const href = el.getAttribute("href") ?? "";
    const shown = href && !/^(javascript|data|blob):/i.test(href) ? addressOf(href) : "";
    this.line = before + (s ? shown ? `[${s}](${shown})` : s : "");
  }

  private list(el: Element, prefix: string, ordered: boolean, depth: number): void {
    this.end(prefix);
    let n = (el as HTMLOListElement).start || 1;
    for (const k of childrenOf(el)) {
      if (k.nodeType !== 1) continue;
      if ((k as Element).localName !== "li") { this.node(k as Element, prefix, depth + 1); continue; }
      if (getComputedStyle(k as Element).display === "none") continue;
      const mark = ordered ? `${n++}. ` : "- ";
      const inner = new Writer(this.frames, this.all);
      inner.block(k as Element, "", depth + 1);
      const s = inner.text();
      if (!s) continue;
      const lines = s.replace(/\n\n(?=[-\d])/g, "\n").split("\n");
      this.out.push(prefix + mark + lines[0], ...lines.slice(1).map(l => prefix + " ".repeat(mark.length) + l));
    }
    this.out.push("");
  }

  // False for a table that only lays out.
  private table(t: HTMLTableElement, prefix: string): boolean {
    const rows: string[][] = [];
    for (const r of t.rows) {
      if (getComputedStyle(r).display === "none") continue;
      const cells: string[] = [];
      for (const c of r.cells) {
        if (c.querySelector("table")) return false;
        const inner = new Writer(this.frames, this.all);
        inner.block(c, "");
        cells.push(inner.text().replace(/\s*\n+\s*/g, " ").replaceAll("|", "\\|") || squeeze(controls(c)));
      }
      if (cells.length) rows.push(cells);
    }
    const width = Math.max(0, ...rows.map(r => r.length));
    if (!rows.length || width < 2 && rows.length < 2) return false;
    this.end(prefix);
    if (t.caption) this.out.push(prefix + squeeze(t.caption.textContent ?? ""), "");
    const line = (r: string[]) => `${prefix}| ${Array.from({ length: width }, (_, i) => r[i] ?? "").join(" | ")} |`;
    this.out.push(line(rows[0]!), `${prefix}|${" --- |".repeat(width)}`, ...rows.slice(1).map(line), "");
    return true;
  }
}

// What can be pressed in an otherwise empty cell.
function controls(c: Element): string {
  return [...c.querySelectorAll("button,[role=button],img[alt]")].map(b => nameOf(b, roleOf(b))).filter(Boolean).join(", ");
}

function addressOf(href: string): string {
  try {
    const u = new URL(href, document.baseURI);
    if (u.origin === location.origin) return u.pathname === location.pathname && u.hash && u.search === location.search ? u.hash : u.pathname + u.search + u.hash;
    return u.href;
  } catch { return href; }
}

function passages(text: string, query: string): [string, number] {
  const q = fold(query);
  const blocks = text.split(/\n\n+/);
  const keep = new Set<number>();
  let n = 0;
  blocks.forEach((b, i) => {
    if (!fold(b).includes(q)) return;
    n++;
    let heading = i;
    while (heading > 0 && !/^#{1,6} /.test(blocks[heading]!)) heading--;
    if (/^#{1,6} /.test(blocks[heading]!)) keep.add(heading);
    keep.add(i);
    if (b.length < 400) { if (i > 0) keep.add(i - 1); if (i + 1 < blocks.length) keep.add(i + 1); }
  });
  let last = -1;
  const out: string[] = [];
  for (const i of [...keep].sort((a, b) => a - b)) {
    if (last >= 0 && i !== last + 1) out.push("…");
    out.push(around(blocks[i]!, q));
    last = i;
  }
  return [out.join("\n\n"), n];
}

// A long table or paragraph is cut to the lines, or the stretch, that match.
function around(block: string, q: string): string {
  if (block.length < 1500) return block;
  const lines = block.split("\n");
  if (lines.length > 4) return lines.filter((l, i) => i < 2 || fold(l).includes(q)).join("\n");
  const at = block.toLowerCase().indexOf(q);
  if (at < 0) return block.slice(0, 1500) + "…";
  return (at > 500 ? "…" : "") + block.slice(Math.max(0, at - 500), at + q.length + 700) + "…";
}
