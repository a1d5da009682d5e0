// What is told of a document that is a PDF. Its text comes from a bundle of its own, which is loaded on first use.
import type { Found } from "./pdf.main";
import { portion } from "./read";
import { mask } from "./secret";
import { sound } from "./text";

interface Args { query?: string; offset?: number; max?: number; ms: number; pages: boolean; bytes: number; chars: number }

export async function pdf(a: Args) {
  const world = globalThis as unknown as { __batonPDF?: { find(a: Args): Promise<Found> } };
  const none = { missing: true, text: "", total: 0, end: 0, matches: 0, title: "", count: 0, read: 0, whole: false, error: "" };
  if (!world.__batonPDF) return none;
  const f = await world.__batonPDF.find(a);
  const parts: string[] = [];
  if (a.pages && f.pages.some(p => p)) f.pages.forEach((p, i) => parts.push(`## Page ${i + 1} of ${f.count}\n\n${p || "(no text)"}`));
  return { ...none, missing: false, ...portion(mask(sound(parts.join("\n\n"))), a), title: sound(f.title), count: f.count, read: f.pages.length, whole: f.whole, error: f.error };
}

/** Takes the file in pieces (see pdf.main.ts). */
export function pdfFeed(a: { data: string; end: boolean }): void {
  (globalThis as unknown as { __batonPDF?: { feed(data: string, end: boolean): void } }).__batonPDF?.feed(a.data, a.end);
}
