// Stands between Baton and the rule library, in an isolated world that holds nothing else. The library's presses go
// through here: only while Baton lets them, and never on a button that accepts.
(() => {
  if (globalThis.__batonRules) return;
  const heard = [];
  let wake = () => {};
  let may = false;
  const pressed = [];
  const kept = [];

  globalThis.autoconsentSendMessage = m => {
    if (m.type !== "report" && m.type !== "init") { heard.push(m); wake(); }
    return Promise.resolve();
  };

  const ACCEPTS = new RegExp("^(?:" + [
    "(?:i |yes,? (?:i )?)?(?:accept|agree|allow|consent|enable|approve)(?: to)?(?: all| everything| them all)?(?: optional)?(?: cookies| and (?:close|continue)| & (?:close|continue))*",
    "ok(?:ay)?", "got it!?", "understood", "i understand", "yes", "sounds good", "that['’]s (?:fine|ok)",
    "(?:alle(?:s)? )?(?:cookies )?(?:akzeptieren|zulassen|annehmen|erlauben|zustimmen)(?: und (?:schließen|weiter))?", "einverstanden", "ich stimme zu", "verstanden",
    "(?:tout )?(?:accepter|autoriser)(?: tout| tous(?: les cookies)?| et (?:fermer|continuer))?", "j['’]accepte", "d['’]accord", "compris",
    "(?:aceptar|permitir)(?: todo| todas| todos)?(?: las)?(?: cookies)?(?: y (?:cerrar|continuar))?", "acepto", "de acuerdo", "entendido",
    "(?:accetta|accetto|consenti|accettare)(?: tutto| tutti)?(?: i)?(?: cookies?)?(?: e (?:chiudi|continua))?", "ho capito",
    "(?:aceitar|permitir|concordo|aceito)(?: tudo| todos)?(?: os)?(?: cookies)?", "entendi",
    "(?:alles? )?(?:cookies )?(?:accepteren|toestaan)", "accepteer(?: alle| alles)?(?: cookies)?", "akkoord", "ik ga akkoord",
    "(?:acceptera|godkänn|tillåt)(?: alla)?(?: cookies| kakor)?", "jag godkänner", "(?:accepter|tillad|godkend|godta|aksepter|tillat)(?: alle)?(?: cookies)?",
    "hyväksy(?: kaikki)?(?: evästeet)?", "salli kaikki(?: evästeet)?", "(?:zaakceptuj|akceptuj|akceptuję|zezwól na|zgadzam się)(?: wszystkie| wszystko)?(?: pliki cookie| cookies)?",
    "(?:přijmout|povolit|souhlasím|prijať|súhlasím)(?: vše| všechny| všetky| všetko)?(?: cookies)?", "(?:すべて)?(?:同意する|許可する|受け入れる|承認)", "(?:принять|согласен)(?: все| всё)?",
  ].join("|") + ")$", "iu");

  const label = el => (el.innerText || el.value || el.getAttribute("aria-label") || "").replace(/\s+/g, " ").trim().slice(0, 80);
  const press = HTMLElement.prototype.click;
  HTMLElement.prototype.click = function () {
    const said = label(this);
    if (!may || ACCEPTS.test(said.replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, ""))) { kept.push(said); return; }
    pressed.push(said);
    press.call(this);
  };

  /** Waits until a message of one of the kinds was heard, ms at most. */
  const hear = async (kinds, ms) => {
    const end = Date.now() + ms;
    for (;;) {
      const m = heard.find(x => kinds.includes(x.type));
      if (m || Date.now() >= end) return m;
      await new Promise(done => { wake = done; setTimeout(done, Math.min(250, Math.max(1, end - Date.now()))); });
    }
  };

  globalThis.__batonRules = {
    /** Looks for a consent platform's open popup; gives the rule's name. */
    async find(rules, ms) {
      const config = {
        enabled: true, autoAction: null, disabledCmps: [], enablePrehide: false, enableCosmeticRules: false, enableGeneratedRules: true, detectRetries: 6,
        isMainWorld: true, enableHeuristicDetection: false, heuristicMode: "off", enablePopupMutationObserver: true, visualTest: false, performanceLoggingEnabled: false,
        logs: { lifecycle: false, rulesteps: false, detectionsteps: false, evals: false, errors: false, messages: false, waits: false },
      };
      globalThis.autoconsentReceiveMessage({ type: "initResp", config, rules: { autoconsent: [], compact: rules } }).catch(() => {});
      const m = await hear(["popupFound"], ms);
      return m ? m.cmp : "";
    },
    /** Has the rule refuse. */
    async refuse(ms) {
      may = true;
      const run = globalThis.autoconsentReceiveMessage({ type: "optOut" }).catch(() => {});
      await Promise.race([run, new Promise(done => setTimeout(done, ms))]);
      may = false;
      const r = heard.find(x => x.type === "optOutResult");
      return { result: !!r?.result, final: heard.some(x => x.type === "autoconsentDone"), pressed: pressed.length, kept: kept.length };
    },
    stop() { may = false; },
  };
})();
