// Bundles src into dist/inject.js, dist/guard.js and, with PDF.js, dist/pdf.js, and takes Playwright's injected runtime out of its npm package into dist/playwright.js.
//
//   node build.mjs [--modules DIR] [--force]
//
// DIR is a folder that holds node_modules with esbuild, pdfjs-dist and playwright-core (default: ../../frontend). Nothing is done when
// the inputs are those of the last build (dist/inputs.json, which also records version and hash of what was taken).
import crypto from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PLAYWRIGHT = "1.65.1";
const here = path.dirname(fileURLToPath(import.meta.url));
const option = name => { const i = process.argv.indexOf("--" + name); return i < 0 ? undefined : process.argv[i + 1]; };
const modules = path.resolve(option("modules") ?? path.join(here, "../../frontend"));
const dist = path.join(here, "dist");
const src = path.join(here, "src");
const require = createRequire(path.join(modules, "package.json"));
const hash = (...parts) => { const h = crypto.createHash("sha256"); for (const p of parts) h.update(p).update("\0"); return h.digest("hex"); };
const fail = why => { console.error("inject: " + why); process.exit(1); };

function found(name) {
  try { return path.dirname(require.resolve(name + "/package.json")); } catch { return fail(`${name} is not installed in ${modules}; run npm ci there`); }
}

const pw = found("playwright-core");
const version = JSON.parse(fs.readFileSync(path.join(pw, "package.json"), "utf8")).version;
if (version !== PLAYWRIGHT) fail(`playwright-core is ${version}, wanted exactly ${PLAYWRIGHT}`);
const pdfjs = found("pdfjs-dist");
const pdfjsVersion = JSON.parse(fs.readFileSync(path.join(pdfjs, "package.json"), "utf8")).version;
const es = found("esbuild");
const bundleFile = path.join(pw, "lib/coreBundle.js");
const sources = fs.readdirSync(src).filter(f => f.endsWith(".ts") || f.endsWith(".json")).sort();
const inputs = hash(fs.readFileSync(fileURLToPath(import.meta.url)), JSON.parse(fs.readFileSync(path.join(es, "package.json"), "utf8")).version, version, pdfjsVersion,
  String(fs.statSync(bundleFile).size), ...sources.flatMap(f => [f, fs.readFileSync(path.join(src, f))]));
const record = path.join(dist, "inputs.json");
const outputs = ["inject.js", "guard.js", "playwright.js", "pdf.js"].map(f => path.join(dist, f));
try {
  const last = JSON.parse(fs.readFileSync(record, "utf8"));
  if (!process.argv.includes("--force") && last.inputs === inputs && outputs.every((f, i) => hash(fs.readFileSync(f)) === last.outputs[i])) process.exit(0);
} catch { /* no earlier build */ }

// The runtime stands in the package as one string literal, assigned under the name of its generated module.
const bundle = fs.readFileSync(bundleFile, "utf8");
const marker = "generated/injectedScriptSource.ts\"() {";
const at = bundle.indexOf(marker);
if (at < 0) fail("the injected runtime's marker is missing from playwright-core");
const literal = /\bsource\d* = ('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*");/.exec(bundle.slice(at, at + 2_000_000))?.[1];
if (!literal) fail("the injected runtime's source is missing from playwright-core");
const runtime = (0, eval)(literal);
if (typeof runtime !== "string" || !runtime.includes("InjectedScript") || !runtime.includes("module.exports")) fail("what was found in playwright-core is not the injected runtime");
const options = { isUnderTest: false, sdkLanguage: "javascript", testIdAttributeName: "data-testid", stableRafCount: 1, browserName: "chromium", shouldPrependErrorPrefix: false, isUtilityWorld: true, customEngines: [] };
const playwright = `/*! Playwright ${version} injected runtime, Copyright (c) Microsoft Corporation, Apache-2.0 */
(() => {
if (globalThis.__batonPlaywright) return;
const module = {};
${runtime}
globalThis.__batonPlaywright = new (module.exports.InjectedScript())(globalThis, ${JSON.stringify(options)});
})();
`;

const esbuild = require("esbuild");
const bundled = name => esbuild.build({
  entryPoints: [path.join(src, name)], bundle: true, write: false, format: "iife", target: "chrome120", charset: "ascii",
  minify: !process.argv.includes("--readable"), legalComments: "none", logLevel: "warning",
}).then(b => b.outputFiles[0].text, () => fail(`${name} does not build`));

// PDF.js reads files that anyone may have made: a block of memory that it asks for is bounded, and so is their sum, within a
// call of find. What stands in for Uint8Array is one all the same. The browser's own unpacking is not used: it unpacks a whole
// stream at once, whatever that grows to; PDF.js then does it by itself, in such blocks.
const blocks = `/*! PDF.js ${pdfjsVersion}, Copyright Mozilla Foundation, Apache-2.0 */
const __batonBytes = (() => {
  let sum = 0, since = 0;
  return new Proxy(Uint8Array, { construct(t, a, n) {
    if (typeof a[0] === "number") {
      const now = performance.now();
      if (now - since > 2000) { sum = 0; since = now; }
      sum += a[0];
      if (a[0] > 67108864 || sum > 805306368) throw new RangeError("too much memory");
    }
    return Reflect.construct(t, a, n === __batonBytes ? t : n);
  } });
})();
const __batonInflate = undefined;
`;
const pdf = () => esbuild.build({
  entryPoints: [path.join(src, "pdf.main.ts")], bundle: true, write: false, format: "esm", target: "chrome130", charset: "ascii", minify: true, legalComments: "none",
  logLevel: "error", nodePaths: [path.join(modules, "node_modules")], define: { Uint8Array: "__batonBytes", DecompressionStream: "__batonInflate", "import.meta.url": '""' },
}).then(b => `(async () => {\n${blocks}\n${b.outputFiles[0].text}\n})();\n`, () => fail("pdf.main.ts does not build"));

fs.mkdirSync(dist, { recursive: true });
const contents = [await bundled("main.ts"), await bundled("guard.main.ts"), playwright, await pdf()];
outputs.forEach((f, i) => fs.writeFileSync(f, contents[i]));
fs.writeFileSync(record, JSON.stringify({ inputs, outputs: contents.map(c => hash(c)), playwright: { version, sha256: hash(runtime) }, esbuild: esbuild.version }, null, 1) + "\n");
console.log(`inject: ${outputs.map((f, i) => `${path.basename(f)} ${Math.round(contents[i].length / 1024)} KB`).join(", ")}`);
