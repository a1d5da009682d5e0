// Text on its way out of the page: white space, halves of surrogate pairs, and the length a quoted string will have.
// The escapes counted here are the ones that package outline writes.

const SPACE = /[\s\u00a0\u200b\u2060\ufeff]+/g;

/** Runs of white space become one space; ends are trimmed. */
export function squeeze(s: string): string {
  return s.replace(SPACE, " ").trim();
}

/** Halves of surrogate pairs move to plane 16 (U+10D800…U+10DFFF), which travels safely and is written as \udXXX. */
export function sound(s: string): string {
  return s.isWellFormed() ? s : s.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, m =>
    m.length > 1 ? m : String.fromCodePoint(0x100000 + m.charCodeAt(0)));
}

const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const ESCAPED = /["\\\n\r\t\b\f]|[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\u{10d800}-\u{10dfff}]|[\u{e0000}-\u{e007f}]/gu;

/** UTF-16 units of the string once quoted. */
export function quotedLength(s: string): number {
  let n = s.length + 2;
  if (PLAIN.test(s)) return n;
  for (const m of s.matchAll(ESCAPED)) {
    const c = m[0].codePointAt(0)!;
    if (c > 0xffff) n += c < 0xf0000 ? 10 : 4;
    else n += c === 34 || c === 92 || c === 8 || c === 9 || c === 10 || c === 12 || c === 13 ? 1 : 5;
  }
  return n;
}

/** The first max units or a little less, cut between words where possible, never inside a character. */
export function cut(s: string, max: number): { text: string; left: number } {
  if (s.length <= max + 12) return { text: s, left: 0 };
  let end = max;
  const space = s.lastIndexOf(" ", end);
  if (space > max * 0.6) end = space;
  if (/[\udc00-\udfff]/.test(s[end] ?? "")) end--;
  return { text: s.slice(0, end), left: s.length - end };
}

/** Lower case without marks, for comparing what people see. */
export function fold(s: string): string {
  return squeeze(s).toLowerCase();
}
