// What really reached the page. An event that no input made is noted as such.
const got = [];
function heard(e, what) { got.push((e && !e.isTrusted ? "untrusted " : "") + what); }
addEventListener("message", e => { if (e.data && e.data.heard) got.push(e.data.heard); });
const $ = id => document.getElementById(id);
const make = (tag, props, ...kids) => { const el = Object.assign(document.createElement(tag), props); for (const [k, v] of Object.entries(props || {})) if (/^(role|aria-|data-|tabindex)/.test(k)) el.setAttribute(k, v); el.append(...kids); return el; };
