// The cheap look for bot checks that every reading of the main document takes.

const FRAMES: [RegExp, string][] = [
  [/^https?:\/\/challenges\.cloudflare\.com\//i, "turnstile"],
  [/^https?:\/\/(?:[\w-]+\.)?captcha-delivery\.com\//i, "datadome"],
  [/^https?:\/\/(?:www\.)?(?:google\.com|recaptcha\.net)\/recaptcha\/(?:api2|enterprise)\/(?:anchor|bframe)/i, "recaptcha"],
  [/^https?:\/\/(?:[\w-]+\.)?hcaptcha\.com\//i, "hcaptcha"],
  [/\/_Incapsula_Resource\?/i, "imperva"],
  [/^https?:\/\/(?:[\w-]+\.)*awswaf\.com\//i, "awswaf"],
];

const IDS = ["challenge-form", "challenge-running", "challenge-stage", "challenge-error-text", "cf-challenge-running", "cf-please-wait", "cf-error-details", "px-captcha", "px-captcha-wrapper",
  "main-iframe", "sec-cpt-if", "sec-if-cpt-container", "captcha-container", "challenge-container", "cmsg", "ddv1-captcha-container"];
export const TITLES = /^(?:just a moment|attention required!|checking your browser|one moment,? please|please wait|access (?:denied|to this page)|human verification|are you (?:a )?(?:human|robot)|verif(?:y|ying)|security check|pardon our interruption|robot check|bot verification|ddos-guard|einen moment|un momento|un instant|nur einen moment|you have been blocked|request unsuccessful|captcha)/i;
const SCRIPTS = /\/cdn-cgi\/challenge-platform\/h\/|captcha-delivery\.com|\.px-cdn\.net|\.px-cloud\.net|\/captcha\/captcha\.js|_Incapsula_Resource|\/_sec\/cp_challenge|awswaf\.com\/|hcaptcha\.com\/|recaptcha\/|challenges\.cloudflare\.com\/turnstile/i;
export const PHRASES = /verif(?:y|ying) (?:that )?you(?:'re| are)(?: a| not a)? (?:human|robot|bot)|(?:prove|confirm|make sure|check(?:ing)? (?:if|that)) (?:that )?you(?:'re| are) (?:a |not a )?(?:human|robot|bot)|are you (?:a )?(?:robot|human|bot)\?|i(?:'|’)?a?m not a robot|not a robot|press (?:&|and) hold|unusual (?:traffic|activity) from your|complete the (?:security check|captcha)|solve (?:the|this) (?:captcha|puzzle)|enable javascript and cookies to continue|bestätigen sie,? dass sie (?:ein mensch|kein roboter)|vérifie[rz] que vous (?:êtes|n['’]êtes pas)|verifi(?:ca|que) que (?:eres|es) (?:humano|una persona)|ik ben geen robot|no soy un robot|non sono un robot|je ne suis pas un robot|ich bin kein roboter/i;
/** What scripts and texts of a vendor's own page say. */
const MARKS = /_Incapsula_Resource|incapsula incident|powered by imperva|_pxAppId|gokuProps|_cf_chl_opt|captcha-delivery\.com|access denied[^]*reference\s*#/i;

/** Whether anything here may be a bot check. Cheap: run with every reading of the main document. */
export function suspect(lines: number): boolean {
  // A page of many lines is the site's own.
  if (window !== window.top || lines > 300) return false;
  if (TITLES.test(document.title)) return true;
  for (const id of IDS) if (document.getElementById(id)) return true;
  const frames = document.getElementsByTagName("iframe");
  for (let i = 0; i < frames.length && i < 60; i++) if (vendorOf(frames[i]!.src)) return true;
  if (document.getElementsByName("cf-turnstile-response").length || document.getElementsByName("g-recaptcha-response").length || document.getElementsByName("h-captcha-response").length) return true;
  const scripts = document.scripts;
  for (let i = 0; i < scripts.length && i < 80; i++) {
    const s = scripts[i]!;
    if (s.src && SCRIPTS.test(s.src)) return true;
  }
  // Only a page of a few words is read for phrases.
  const body = document.body;
  if (!body || document.getElementsByTagName("*").length > 150) return false;
  const said = (document.documentElement.textContent ?? "").slice(0, 20_000);
  return MARKS.test(said) || PHRASES.test(said) || /bm-verify/.test(document.querySelector('meta[http-equiv="refresh" i]')?.getAttribute("content") ?? "");
}

export function vendorOf(src: string): string {
  if (src) for (const [re, v] of FRAMES) if (re.test(src)) return v;
  return "";
}

