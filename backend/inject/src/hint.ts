// What an element without a name is likely to be, in its author's words: an icon's class, a drawing's shape and colour.
import { cut, squeeze } from "./text";
import { mask } from "./secret";

const LONGEST = 40;
/** Says nothing of what an element is for. */
const EMPTY = new Set(("button btn icon icons img image svg link input field text textbox control item items element wrapper wrap container inner outer box block primary secondary default " +
  "root base main content default state corner all small medium large active focus focusable hover disabled visible hidden show hide left right top bottom first last odd even " +
  "flex grid row col column inline relative absolute fixed sticky static rounded border shadow transition pointer cursor clickable form light dark solid regular outline fas far fab glyphicon mui material").split(" "));
/** Classes that only lay out or colour, as utility frameworks name them. */
const UTILITY = /^(?:[a-z]+:|-?[mp][xytrblse]?-|(?:w|h|gap|text|bg|font|items|justify|z|inset|min|max|space|leading|tracking|opacity|ring|duration|ease|overflow|object|self|order|select|sr|css|sc|jss|jsx|svelte|_ng\w*|ng|v|d)-)/;
/** Ids that programs number. */
const NUMBERED = /^(?:ui-id|:|«|radix|headlessui|mui-|react-|ember|yui|gwt|__|mat-|cdk-|el-id|rc[-_]|downshift)|\d{4,}|[0-9a-f]{10,}/i;
/** What an author marks a chosen one with. */
const STATE = /^(?:.*[-_])?(selected|checked|pressed|clicked|starred|liked)$/;
const SAID = ["data-testid", "data-test", "data-icon", "data-action", "name", "id"];
const SHAPES: Record<string, string> = { rect: "rectangle", circle: "circle", ellipse: "ellipse", line: "line", polygon: "polygon", polyline: "line", path: "path", text: "text", g: "group", image: "image" };

/** A few words, or "". For elements that can be acted on and have neither name nor text. */
export function hintOf(el: Element): string {
  const drawing = el instanceof SVGElement && el.localName !== "svg";
  const out: string[] = [];
  const paint = drawing || isBox(el) ? colourOf(el, drawing) : "";
  if (paint) out.push(paint);
  if (drawing) out.push(el.localName === "polygon" ? corners(el) : SHAPES[el.localName] ?? el.localName);
  const own = said(el);
  if (own && !out.includes(own)) out.push(own);
  for (const c of el.classList) {
    const m = STATE.exec(c);
    if (m && !out.join(" ").includes(m[1]!)) { out.push(m[1]!); break; }
  }
  const c = cut(mask(squeeze(out.join(" "))), LONGEST);
  return c.left ? c.text + "…" : c.text;
}

function said(el: Element): string {
  for (const k of SAID) {
    const v = el.getAttribute(k);
    if (v && v.length <= LONGEST && !NUMBERED.test(v) && /[\p{L}\d]/u.test(v)) return v;
  }
  return classWords(el) || inside(el) || file(el) || address(el);
}

// The words of an element's classes that say something, of the first such class.
function classWords(el: Element): string {
  let n = 0;
  for (const c of el.classList) {
    if (++n > 8) break;
    if (UTILITY.test(c)) continue;
    const words = c.replace(/__.*$|--.*$/, "").split(/[-_]|(?<=[a-z])(?=[A-Z])/).map(w => w.toLowerCase())
      .filter(w => w.length > 2 && w.length < 16 && !/\d/.test(w) && /[aeiouy]/.test(w) && !/[bcdfghjklmnpqrstvwxz]{5}/.test(w) && !EMPTY.has(w));
    if (words.length && words.length <= 4) return words.join(" ");
  }
  return "";
}

// An icon within: its own words, its picture's file, or the symbol that it shows.
function inside(el: Element): string {
  let k: Element | null = el;
  for (let n = 0; n < 3; n++) {
    k = k.firstElementChild;
    if (!k) return "";
    if (k.localName === "use") return stem((k.getAttribute("href") ?? k.getAttribute("xlink:href") ?? "").replace(/^.*#/, ""));
    const s = k.getAttribute("data-icon") ?? (classWords(k) || file(k));
    if (s) return s;
  }
  return "";
}

// The name of the picture's file.
function file(el: Element): string {
  if (el.localName === "img") return stem((el as HTMLImageElement).currentSrc || el.getAttribute("src") || "");
  const cs = getComputedStyle(el);
  const m = /url\("([^"]+)"\)/.exec(cs.content) ?? /url\("([^"]+)"\)/.exec(cs.backgroundImage) ?? /url\("([^"]+)"\)/.exec(cs.maskImage);
  return m ? stem(m[1]!) : "";
}

function address(el: Element): string {
  const h = el.localName === "a" ? el.getAttribute("href") ?? "" : "";
  return /^(?:javascript|data|#|$)/i.test(h) ? "" : stem(h.replace(/[?#].*$/, "").replace(/\/$/, ""));
}

function stem(url: string): string {
  if (/^(?:data|blob):/i.test(url)) return "";
  const s = url.replace(/[?#].*$/, "").replace(/^.*\//, "").replace(/\.\w{2,5}$/, "");
  return s.length < 2 || s.length > LONGEST || NUMBERED.test(s) || !/[a-z]{2}/i.test(s) ? "" : s;
}

function isBox(el: Element): boolean {
  return !/^(?:img|svg|canvas|input|textarea|select|object|embed|video|audio)$/.test(el.localName);
}

function corners(el: Element): string {
  const n = (el.getAttribute("points") ?? "").trim().split(/[\s,]+/).length / 2;
  return n === 3 ? "triangle" : "polygon";
}

/** A colour's name: the author's, else the nearest common one. Greys only where an author named one or a shape is drawn in it. */
function colourOf(el: Element, drawing: boolean): string {
  const given = drawing ? el.getAttribute("fill") : (el as HTMLElement).style?.backgroundColor;
  if (given && /^[a-z]{3,20}$/i.test(given) && !/^(?:none|transparent|inherit|initial|unset|currentcolor)$/i.test(given)) return given.toLowerCase();
  const cs = getComputedStyle(el);
  const shade = (s: string) => {
    const m = /^rgba?\(([\d.]+),\s*([\d.]+),\s*([\d.]+)(?:,\s*([\d.]+))?\)$/.exec(s);
    return m && !(m[4] && parseFloat(m[4]) < 0.3) ? nearest(+m[1]!, +m[2]!, +m[3]!, drawing) : "";
  };
  return drawing ? (el.localName === "g" ? "" : shade(cs.fill) || shade(cs.stroke)) : shade(cs.backgroundColor);
}

function nearest(r: number, g: number, b: number, greys: boolean): string {
  const max = Math.max(r, g, b), min = Math.min(r, g, b), chroma = max - min, light = (max + min) / 510;
  if (chroma < 16) return !greys ? "" : light < 0.16 ? "black" : light > 0.93 ? "white" : "grey";
  let h = max === r ? (g - b) / chroma : max === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma;
  h = (h * 60 + 360) % 360;
  const hue = h < 15 || h >= 345 ? "red" : h < 42 ? light < 0.35 ? "brown" : "orange" : h < 70 ? "yellow" : h < 165 ? "green" : h < 195 ? "cyan" : h < 255 ? "blue" : h < 290 ? "purple" : "pink";
  return light > 0.78 ? "light " + hue : light < 0.22 ? "dark " + hue : hue;
}
