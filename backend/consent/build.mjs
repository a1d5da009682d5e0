// Takes the rule library for consent platforms out of its npm package into dist: autoconsent.js, as published, and
// rules.json, its compact rules without those that only hide a banner.
//
//   node build.mjs [--modules DIR] [--force]
//
// DIR is a folder that holds node_modules (default: ../../frontend). Nothing is done when the inputs are those of the last
// build (dist/inputs.json).
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "16.23.0";
const here = path.dirname(fileURLToPath(import.meta.url));
const option = name => { const i = process.argv.indexOf("--" + name); return i < 0 ? undefined : process.argv[i + 1]; };
const modules = path.resolve(option("modules") ?? path.join(here, "../../frontend"));
const dist = path.join(here, "dist");
const hash = (...parts) => { const h = crypto.createHash("sha256"); for (const p of parts) h.update(p).update("\0"); return h.digest("hex"); };
const fail = why => { console.error("consent: " + why); process.exit(1); };

const pack = path.join(modules, "node_modules/@duckduckgo/autoconsent");
if (!fs.existsSync(path.join(pack, "package.json"))) fail(`@duckduckgo/autoconsent is not installed in ${modules}; run npm ci there`);
const version = JSON.parse(fs.readFileSync(path.join(pack, "package.json"), "utf8")).version;
if (version !== VERSION) fail(`@duckduckgo/autoconsent is ${version}, wanted exactly ${VERSION}`);
const script = fs.readFileSync(path.join(pack, "dist/autoconsent.playwright.js"), "utf8");
const published = fs.readFileSync(path.join(pack, "rules/compact-rules.json"), "utf8");
const inputs = hash(fs.readFileSync(fileURLToPath(import.meta.url)), version, script, published);
const record = path.join(dist, "inputs.json");
const outputs = ["autoconsent.js", "rules.json"].map(f => path.join(dist, f));
try {
  const last = JSON.parse(fs.readFileSync(record, "utf8"));
  if (!process.argv.includes("--force") && last.inputs === inputs && outputs.every((f, i) => hash(fs.readFileSync(f)) === last.outputs[i])) process.exit(0);
} catch { /* no earlier build */ }

const all = JSON.parse(published);
if (all.v !== 1 || !Array.isArray(all.s) || !Array.isArray(all.r)) fail("the compact rules are of another format than version 1");
if (!script.includes("autoconsentReceiveMessage") || !script.includes("autoconsentSendMessage")) fail("the script does not speak by messages");
// A rule is [step version, name, cosmetic, url pattern, frames, prehide, detect, popup, opt out, test, more].
const hides = steps => JSON.stringify(steps).includes('"h":');
const kept = all.r.filter(r => r[2] !== 1 && !hides(r[8]));
if (kept.length < 500) fail(`only ${kept.length} rules are left`);
const pick = want => kept.filter(want).map(r => ({ pattern: r[3], rule: r }));
const contents = [
  `/*! autoconsent ${version}, Copyright (c) its authors, MPL-2.0 */\n` + script,
  JSON.stringify({ strings: all.s, generic: pick(r => !r[3]), specific: pick(r => r[3]) }),
];
fs.mkdirSync(dist, { recursive: true });
outputs.forEach((f, i) => fs.writeFileSync(f, contents[i]));
fs.writeFileSync(record, JSON.stringify({ inputs, outputs: contents.map(c => hash(c)), autoconsent: version }, null, 1) + "\n");
console.log(`consent: ${kept.length} of ${all.r.length} rules, ${outputs.map((f, i) => `${path.basename(f)} ${Math.round(contents[i].length / 1024)} KB`).join(", ")}`);
