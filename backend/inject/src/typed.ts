// Inputs whose value is set rather than typed: checked first, then set with input and change events.
import { describe } from "./describe";
import { isVisible } from "./dom";
import { fieldOf } from "./field";
import { element } from "./refs";
import { isSecret } from "./secret";
import { isDisabled, isReadonly } from "./state";

const FORMS: Record<string, { re: RegExp; form: string }> = {
  "date": { re: /^\d{4,6}-\d\d-\d\d$/, form: "YYYY-MM-DD, such as 2027-02-28" },
  "time": { re: /^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/, form: "HH:MM with 24 hours, such as 13:05" },
  "datetime-local": { re: /^\d{4,6}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/, form: "YYYY-MM-DDTHH:MM, such as 2027-02-28T23:45" },
  "month": { re: /^\d{4,6}-\d\d$/, form: "YYYY-MM, such as 2027-02" },
  "week": { re: /^\d{4,6}-W\d\d$/, form: "YYYY-Www, such as 2027-W08" },
  "color": { re: /^#[0-9a-f]{6}$/, form: "#rrggbb, such as #3366cc" },
  "range": { re: /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i, form: "a number" },
  "number": { re: /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i, form: "a number, such as 12.5" },
};

export function setTyped(a: { ref: number; value: string }) {
  const out = { status: "gone", value: "", message: "", desc: "", changed: false };
  const target = element(a.ref);
  if (!target) return out;
  const el = fieldOf(target) as HTMLInputElement;
  out.desc = describe(el);
  const type = el.localName === "input" ? el.type : "";
  const f = FORMS[type];
  if (!f) return { ...out, status: "not_editable" };
  if (!isVisible(el)) return { ...out, status: "hidden" };
  if (isDisabled(el)) return { ...out, status: "disabled" };
  if (isReadonly(el)) return { ...out, status: "readonly" };
  const want = normal(type, a.value);
  const wrong = want === "" ? (el.required ? "this field is required" : "") : check(el, type, want, f);
  if (wrong) return { ...out, status: "bad_value", value: isSecret(el) ? "" : el.value, message: wrong };
  const before = el.value;
  el.focus({ preventScroll: true });
  setter.call(el, want);
  out.changed = el.value !== before;
  if (out.changed) {
    el.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    el.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return { ...out, status: "ok", value: isSecret(el) ? "" : el.value };
}

const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;

function normal(type: string, v: string): string {
  v = v.trim();
  if (type === "color") {
    v = v.toLowerCase();
    const short = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(v);
    if (short) return `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`;
    return /^[0-9a-f]{6}$/.test(v) ? "#" + v : v;
  }
  if (type === "datetime-local") return v.replace(/^(\d{4,6}-\d\d-\d\d) +(\d\d:\d\d.*)$/, "$1T$2").replace(/:00\.0+$|(T\d\d:\d\d):00$/, "$1");
  if (type === "week") return v.replace(/-w/, "-W");
  return v;
}

// "" when the value is good; else a sentence part that names what is accepted.
function check(el: HTMLInputElement, type: string, v: string, f: { re: RegExp; form: string }): string {
  if (!f.re.test(v)) return `the value must be ${f.form}`;
  const probe = document.createElement("input");
  probe.type = type;
  for (const k of ["min", "max", "step", "value"]) {
    const s = el.getAttribute(k);
    if (s !== null && k !== "value") probe.setAttribute(k, s);
  }
  if (type === "range") return range(el, v);
  setter.call(probe, v);
  if (probe.value === "") return `there is no such ${type === "datetime-local" ? "date and time" : type}; the value must be ${f.form}`;
  const y = probe.validity;
  if (y.rangeUnderflow) return `the value must be ${el.min} or later`.replace("later", type === "number" ? "more" : "later");
  if (y.rangeOverflow) return `the value must be ${el.max} or ${type === "number" ? "less" : "earlier"}`;
  if (y.stepMismatch) {
    if (type === "number") return `the value must be in steps of ${el.step || "1"}${nearest(el, v)}`;
    return `the value does not fit the step of ${el.step} from ${el.min || "the start"}${near(probe)}`;
  }
  return "";
}

function near(probe: HTMLInputElement): string {
  try {
    const v = probe.value;
    probe.stepDown();
    const down = probe.value;
    setter.call(probe, v);
    probe.stepUp();
    return `; the nearest are ${down} and ${probe.value}`;
  } catch { return ""; }
}

function range(el: HTMLInputElement, v: string): string {
  const n = Number(v);
  const min = el.min === "" ? 0 : Number(el.min);
  const max = el.max === "" ? 100 : Number(el.max);
  if (n < min || n > max) return `the value must be from ${min} to ${max}`;
  if (el.step === "any") return "";
  const probe = el.cloneNode() as HTMLInputElement;
  setter.call(probe, v);
  if (Math.abs(Number(probe.value) - n) < 1e-9) return "";
  return `the value must be from ${min} to ${max} in steps of ${el.step || "1"}${nearest(el, v)}`;
}

function nearest(el: HTMLInputElement, v: string): string {
  const step = Number(el.step) || 1;
  const base = el.min === "" ? el.type === "range" ? 0 : Number(el.getAttribute("value")) || 0 : Number(el.min);
  const k = Math.floor((Number(v) - base) / step + 1e-9);
  const tidy = (x: number) => String(Number(x.toFixed(10)));
  const up = base + (k + 1) * step;
  const max = el.max === "" ? Infinity : Number(el.max);
  return up <= max ? `; the nearest are ${tidy(base + k * step)} and ${tidy(up)}` : `; the nearest is ${tidy(base + k * step)}`;
}
