// What a button says when it refuses cookies. A label counts only as a whole: "Reject all" does, "Reject all and
// subscribe" does not.

/** A part of every label that can count: what holds none of these is not looked at further. */
const STEMS = /rej|recha|declin|refus|deny|den[ey]g|disa|block|opt[- ]?out|turn off|do(?:n['’]| no)t|only|just|necess|essen|requir|mandat|techni|accept|without|ab$|lehn|weiger|verwerp|wijs|nur |ohne |sans |sin |senza |sem |zonder|utan|uden|uten|zurück|rifiut|neg|respin|recus|rehus|bloque|neka|nekt|avv|avb|avs|afv|afs|afw|förn|hylk|kiel|estä|torju|hyväk|odrz|odm|odb|odr|zavr|zamít|zamie|bez |elutas|visszaut|letil|απόρ|απορ|άρν|χωρίς|reddet|devam|откл|отка|отв|отх|запр|заб|відх|відм|rebutja|atmes|noraid|noraidīt|keeld|lükka|thank|dank|merci|graci|grazi|obrig|tack|tak|kiit|dzięk|děk|now|agree|nicht |nie |non |não |niet |en s|ne[ms]|nu |δεν|όχι|нет|не |ні|ne |hay|kabul|solo|sólo|únic|apen|só |somen|alleen|enkel|endast|bara|enbart|kun |bare |vain |tylko|wyłą|jedyn|pouz|jen|iba |len |csak|doar|numai|μόνο|yaln|sadec|тол|лише|тіл|само|samo|interd|rejet|nødv|nödv|niezb|nezb|vältt|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/iu;

/** How firmly a label refuses: 3 all of it, 2 all but what is needed, 1 a no that needs a banner about nothing else. */
export type Firmness = 0 | 1 | 2 | 3;

const any = (...parts: string[]) => `(?:${parts.join("|")})`;
const maybe = (...parts: string[]) => `(?:${parts.join("|")})?`;

// English
const EN_WHAT = maybe(" all", " everything", " any", " them", " these", " it") + maybe(" of them") + maybe(" optional", " non-?essential", " unnecessary", " additional", " other", " analytics?", " tracking", " marketing", " advertising", " third[- ]party", " non-?necessary") + maybe(" cookies?", " tracking", " trackers", " cookies and tracking", " purposes");
const EN_END = maybe(" (?:and|&) (?:close|continue|exit|proceed|save)");
const EN_NEED = any("(?:strictly |absolutely )?necessary", "essentials?", "(?:strictly )?required", "mandatory", "technical", "functional and necessary");

// German
const DE_WHAT = any("alle(?:s)?", "optionale", "alle optionalen", "nicht notwendige", "nicht erforderliche", "zusätzliche", "unnötige", "tracking");
const DE_NEED = any("(?:technisch |unbedingt )?notwendigen?", "(?:unbedingt |technisch )?erforderlichen?", "essenziellen?", "essentiellen?", "nötige", "technische", "das nötigste");
const DE_DO = any("akzeptieren", "zulassen", "erlauben", "verwenden", "annehmen", "nutzen", "speichern", "setzen");

// The Romance languages
const FR_NEED = any("nécessaires", "strictement nécessaires", "essentiels", "obligatoires", "indispensables", "techniques", "requis", "le nécessaire", "l'essentiel");
const ES_NEED = any("(?:estrictamente )?necesari[ao]s", "esenciales", "técnicas", "obligatorias", "requeridas", "imprescindibles", "lo necesario");
const IT_NEED = any("(?:strettamente )?necessari", "tecnici", "essenziali", "obbligatori", "quelli necessari", "l'essenziale");
const PT_NEED = any("(?:estritamente )?necessári[ao]s", "essenciais", "obrigatóri[ao]s", "técnic[ao]s", "o necessário");

// The Germanic ones of the north and west
const NL_NEED = any("(?:strikt )?noodzakelijke?", "functionele", "essentiële", "vereiste", "technische", "benodigde", "het noodzakelijke");
const SV_NEED = any("(?:absolut |strikt )?nödvändiga", "de nödvändiga", "obligatoriska");
const DA_NEED = any("(?:strengt |absolut )?nødvendige", "de nødvendige", "det nødvendige", "påkrævede", "påkrevde");
const NORD_COOKIES = maybe(" cookies?", " kakor", " informasjonskapsler", " kapsler");

// The Slavic ones
const PL_NEED = any("niezbędne", "konieczne", "wymagane", "techniczne", "to, co niezbędne");
const PL_COOKIES = maybe(" pliki cookies?", " cookies?", " ciasteczka", " pliki");
const CS_NEED = any("nezbytn[éáě]", "nezbytně nutné", "nutn[éá]", "technick[éá]", "nevyhnutn[éá]", "potrebné", "potřebné");
const CS_COOKIES = maybe(" cookies?", " soubory cookies?", " súbory cookies?");

const FIRM = [
  // English
  any("block", "turn off", "disable") + maybe(" all") + maybe(" optional", " non-?essential", " third[- ]party", " tracking") + " (?:cookies?|trackers)",
  any("reject", "decline", "refuse", "deny", "disallow", "opt[- ]out(?: of)?", "do(?: not|n['’]t) (?:accept|allow|consent to|agree to|use)") + any(EN_WHAT + EN_END + maybe(" except (?:strictly )?(?:necessary|essential|required)(?: cookies)?")),
  "(?:i )?" + any("reject", "decline", "refuse", "disagree(?: to all| with all)?", "do(?: not|n['’]t) (?:accept|agree|consent)") + maybe(" all", " cookies") + EN_END,
  any("continue", "proceed", "browse") + " without " + any("accepting", "agreeing", "consent(?:ing)?", "cookies", "tracking", "accepting cookies"),
  // German
  maybe("ich ") + "lehne " + maybe(DE_WHAT + " ") + maybe("cookies ") + "ab",
  maybe(DE_WHAT + " ") + maybe("cookies ") + any("ablehnen", "verweigern", "zurückweisen") + maybe(" (?:und|&) (?:schließen|schliessen|weiter|fortfahren)"),
  any("ablehnen", "alle(?:s)? ablehnen", "ablehnung aller cookies"),
  any("weiter", "fortfahren") + " ohne " + any("zustimmung", "einwilligung", "zu akzeptieren", "cookies", "annahme"),
  "ohne " + any("zustimmung", "einwilligung", "cookies", "zu akzeptieren") + " " + any("fortfahren", "weiter", "weitersurfen"),
  // French
  "(?:je |tout )?" + any("refuser?", "rejeter", "interdire", "décliner") + maybe(" tout", " tous", " toutes?") + maybe(" les", " ces") + maybe(" cookies") + maybe(" optionnels", " non (?:essentiels|nécessaires)", " facultatifs") + maybe(" et (?:fermer|continuer)"),
  any("continuer", "poursuivre", "naviguer") + " sans " + any("accepter", "consentir", "cookies", "accord"),
  // Spanish
  any("rechazar?", "rechazo", "denegar", "declinar", "rehusar", "bloquear") + maybe(" todo", " todas", " todos", " toda", " las", " todas las") + maybe(" las") + maybe(" cookies") + maybe(" opcionales", " no (?:esenciales|necesarias)") + maybe(" y (?:cerrar|continuar)"),
  any("continuar", "seguir", "navegar") + " sin " + any("aceptar", "consentir", "cookies", "aceptarlas"),
  // Italian
  any("rifiuta(?:re)?", "rifiuto", "nega", "respingi", "declina") + maybe(" tutto", " tutti", " tutte") + maybe(" i") + maybe(" cookies?") + maybe(" opzionali", " non (?:essenziali|necessari|tecnici)") + maybe(" e (?:chiudi|continua|prosegui)"),
  any("continua(?:re)?", "prosegui(?:re)?", "naviga(?:re)?", "chiudi e continua") + " senza " + any("accettare", "cookies?", "consenso", "acconsentire"),
  "chiudi e rifiuta(?: tutto)?",
  // Portuguese
  any("rejeitar?", "rejeito", "recusar?", "recuso", "negar", "declinar") + maybe(" tudo", " todos", " todas") + maybe(" os", " as") + maybe(" cookies") + maybe(" opcionais", " não (?:essenciais|necessários)") + maybe(" e (?:fechar|continuar)"),
  any("continuar", "prosseguir", "navegar") + " sem " + any("aceitar", "consentir", "cookies"),
  // Dutch
  maybe("alles ", "alle ") + maybe("optionele ", "niet-noodzakelijke ") + maybe("cookies ") + any("weigeren", "afwijzen", "verwerpen", "niet accepteren"),
  any("weiger", "wijs") + maybe(" alles", " alle") + maybe(" cookies") + maybe(" af"),
  any("doorgaan", "verder", "ga verder", "ga door") + " zonder " + any("(?:te )?accepteren", "cookies", "toestemming", "akkoord"),
  // Swedish, Danish, Norwegian
  any("avvisa", "neka", "avböj", "förneka", "afvis", "afslå", "avvis", "avslå", "nekt") + maybe(" alla", " allt", " alle", " alt") + maybe(" valfria", " valgfrie") + NORD_COOKIES,
  any("fortsätt", "fortsæt", "fortsett") + any(" utan att ", " uden at ", " uten å ", " utan ", " uden ", " uten ") + any("acceptera", "godkänna", "acceptere", "godta", "akseptere", "cookies", "samtycke", "samtykke"),
  // Finnish
  any("hylkää", "hylkään", "kieltäydy", "kiellä", "estä", "torju") + maybe(" kaikki") + maybe(" valinnaiset") + maybe(" evästeet") + maybe(" evästeistä"),
  "jatka " + any("hyväksymättä", "ilman evästeitä", "ilman hyväksyntää"),
  // Polish
  any("odrzuć", "odrzucam", "odmów", "odmawiam", "odrzucenie") + maybe(" wszystkie", " wszystko", " wszystkich") + maybe(" opcjonalne") + PL_COOKIES,
  any("kontynuuj", "przejdź dalej") + " bez " + any("akceptacji", "akceptowania", "zgody", "wyrażania zgody"),
  // Czech, Slovak
  any("odmítnout", "odmítám", "odmietnuť", "odmietam", "zamítnout", "zamietnuť") + maybe(" vše", " všechny", " všechno", " všetky", " všetko") + maybe(" volitelné", " voliteľné") + CS_COOKIES,
  "pokračovat bez " + any("přijetí", "souhlasu", "cookies") + "|pokračovať bez " + any("prijatia", "súhlasu", "cookies"),
  // Hungarian, Romanian, Greek, Turkish
  maybe("az ") + maybe("összes(?:et)? ", "mindet ", "mindent ", "mind ") + maybe("sütit ", "süti ", "cookie ") + any("elutasít(?:om|ás|ása)?", "elutasítani", "visszautasít(?:om|ás)?", "letiltás(?:a)?"),
  any("respinge(?:ți)?", "refuz[ăa]?", "refuzați") + maybe(" toate", " tot") + maybe(" cookie-urile", " cookies") + "|continuă fără (?:a accepta|acceptare)",
  any("απόρριψη", "απορρίπτω", "άρνηση") + maybe(" όλων", " όλα") + maybe(" των cookies?", " cookies?") + "|συνέχεια χωρίς (?:αποδοχή|συγκατάθεση)",
  maybe("tümünü ", "hepsini ", "tüm ") + maybe("çerezleri ") + any("reddet", "reddediyorum", "reddedin") + "|kabul etmeden devam et",
  // Russian, Ukrainian, Bulgarian, Serbian, Croatian, Slovene
  any("отклонить", "отклоняю", "отказаться", "запретить", "отвергнуть", "відхилити", "відхиляю", "відмовитися", "заборонити", "отхвърли", "отхвърляне", "отказвам") + maybe(" все", " всё", " всі", " всички", " на всички", " от всех", " от всего", " необязательные", " необов['’]язкові") + maybe(" файлы cookie", " файли cookie", " cookie", " cookies", " куки", " бисквитки"),
  any("odbij", "odbijam", "odbaci", "zavrni", "zavrnem", "одбиј") + maybe(" sve", " vse", " све") + maybe(" kolačiće", " piškotke"),
  // Catalan, Lithuanian, Latvian, Estonian
  any("rebutja(?:r)?", "refusa(?:r)?") + maybe(" totes", " tot", " tots") + maybe(" les galetes", " les cookies") + "|atmesti(?: visus)?(?: slapukus)?|noraidīt(?: visas| visus)?(?: sīkdatnes)?|keeldu(?:n|da)?(?: kõigist)?|lükka kõik tagasi",
  // Japanese, Korean, Chinese
  maybe("すべて(?:を)?", "全て(?:を)?", "全部") + maybe("の?(?:cookie|クッキー)を?") + any("拒否(?:する|します)?", "許可しない", "受け入れない", "無効にする") + "|同意しない(?:で続ける)?|同意せずに(?:続行|続ける|閲覧)(?:する)?",
  maybe("모두 ?", "전체 ?", "모든 ?") + maybe("쿠키(?:를)? ?") + any("거부", "거부하기", "거부합니다", "거절") + "|동의하지 않(?:음|습니다|고 계속)",
  any("拒绝", "拒絕", "全部拒绝", "全部拒絕", "不接受", "不同意") + maybe("所有", "全部") + maybe(" ?cookies?") + "|不同意并继续",
];

const NEEDED = [
  any("only ", "just ", "(?:use|accept|allow|keep|enable|continue with|select) (?:only )?(?:the )?") + EN_NEED + maybe(" ones", " cookies?", " cookies? only", " only"),
  EN_NEED + maybe(" cookies?") + " only" + EN_END,
  any("nur ", "ausschließlich ", "lediglich ") + maybe("die ") + DE_NEED + maybe(" cookies") + maybe(" " + DE_DO) + "|" + DE_NEED + maybe(" cookies") + " " + DE_DO,
  maybe("accepter ", "n['’]accepter que ", "autoriser ", "utiliser ", "garder ") + any("uniquement ", "seulement ", "que ") + maybe("les ") + maybe("cookies ") + FR_NEED + "|" + maybe("les ") + "cookies " + FR_NEED + any(" uniquement", " seulement") + "|n['’]accepter que (?:les )?(?:cookies )?" + FR_NEED + "|accepter les (?:cookies )?" + FR_NEED,
  maybe("aceptar ", "usar ", "permitir ", "utilizar ") + any("solo ", "sólo ", "únicamente ", "solamente ") + maybe("las ", "los ") + maybe("cookies ") + ES_NEED + "|" + maybe("cookies ") + ES_NEED + any(" únicamente", " solamente") + "|aceptar (?:las )?(?:cookies )?" + ES_NEED,
  maybe("accetta ", "usa ", "consenti ", "accettare ", "utilizza ") + any("solo ", "soltanto ", "esclusivamente ") + maybe("i ") + maybe("cookies? ") + IT_NEED + "|accetta (?:i )?(?:cookies? )?" + IT_NEED,
  maybe("aceitar ", "usar ", "permitir ", "utilizar ") + any("apenas ", "só ", "somente ", "unicamente ") + maybe("os ", "as ") + maybe("cookies ") + PT_NEED + "|" + maybe("cookies ") + PT_NEED + any(" apenas", " somente"),
  maybe("accepteer ", "gebruik ", "sta ") + any("alleen ", "enkel ", "uitsluitend ") + maybe("de ") + NL_NEED + maybe(" cookies?") + maybe(" accepteren", " toestaan", " gebruiken", " plaatsen", " toe"),
  maybe("acceptera ", "godkänn ", "tillåt ", "använd ", "jag godkänner ") + any("endast ", "bara ", "enbart ") + SV_NEED + NORD_COOKIES + "|" + SV_NEED + NORD_COOKIES + " endast",
  maybe("accepter ", "acceptér ", "tillad ", "brug ", "godta ", "tillat ", "aksepter ", "bruk ", "godkend ") + any("kun ", "bare ") + DA_NEED + NORD_COOKIES,
  maybe("hyväksy ", "salli ", "käytä ") + any("vain ", "ainoastaan ") + maybe("pakolliset", "välttämättömät", "tarpeelliset") + maybe(" evästeet") + "|salli välttämättömät(?: evästeet)?",
  maybe("zaakceptuj ", "akceptuj ", "akceptuję ", "zezwól na ", "używaj ", "zezwalaj na ") + any("tylko ", "wyłącznie ", "jedynie ") + PL_NEED + PL_COOKIES + "|tylko " + maybe("pliki cookie ", "cookies ") + PL_NEED,
  maybe("povolit ", "přijmout ", "používat ", "povoliť ", "prijať ", "akceptovat ", "přijmu ", "souhlasím s ") + any("pouze ", "jen ", "iba ", "len ", "jenom ") + CS_NEED + CS_COOKIES,
  "csak a " + any("szükséges(?:ek)?", "feltétlenül szükséges(?:ek)?", "alapvető") + maybe(" sütik", " cookie-k", " sütiket") + maybe(" elfogadása", " engedélyezése", " elfogadom", "et"),
  maybe("acceptă ", "permite ") + any("doar ", "numai ") + maybe("cele ", "cookie-urile ", "cookie-uri ") + "(?:strict )?(?:necesare|esențiale)",
  maybe("αποδοχή ") + "μόνο (?:τα |των )?(?:απολύτως )?(?:απαραίτητ[αων]+)(?: cookies?)?",
  any("yalnızca ", "sadece ") + any("gerekli", "zorunlu") + maybe(" çerezler(?:i)?", " olanlar(?:ı)?") + maybe(" kabul et", " kullan", " izin ver"),
  maybe("принять ", "разрешить ", "использовать ", "прийняти ", "дозволити ") + any("только ", "лише ", "тільки ", "само ") + any("необходимые", "обязательные", "необхідні", "обов['’]язкові", "необходимите") + maybe(" файлы cookie", " файли cookie", " cookie", " cookies", " куки", " бисквитки"),
  maybe("prihvati ", "dozvoli ", "sprejmi ", "dovoli ") + any("samo ", "само ") + any("nužne", "nužni", "neophodne", "neophodni", "nujne", "nujni", "obvezne", "неопходне") + maybe(" kolačiće", " kolačići", " piškotke", " piškotki"),
  any("必須", "必要", "必要不可欠", "最低限") + "(?:な|の)? ?(?:cookie|クッキー|もの)? ?(?:のみ|だけ)(?:を)?(?:許可|使用|受け入れ|同意|承諾|有効に)?(?:する|します|る)?",
  maybe("필수 ?", "필요한 ?") + "쿠키만 ?(?:허용|사용|수락|동의)?(?:하기)?|필수(?:항목)?만 ?(?:허용|사용|수락|동의)",
  any("仅", "僅", "只") + maybe("限") + maybe("接受", "使用", "允许", "允許", "保留") + any("必要", "必需", "基本") + "(?:的)? ?(?:cookies?)?|接受必要(?:的)? ?cookies?",
];

const SOFT = [
  "no,? ?thanks?(?: you)?", "not now", "i disagree", "disagree(?: (?:and|&) close)?", "disagree to all",
  "nein,? ?danke", "nicht (?:akzeptieren|zustimmen|einverstanden)", "non,? ?merci", "je n['’]accepte pas", "ne pas accepter", "je ne suis pas d['’]accord",
  "no,? ?gracias", "no acepto", "no aceptar", "no,? ?grazie", "non accetto", "non accettare", "não,? ?obrigad[oa]", "não aceito", "não aceitar", "não concordo",
  "nee,? ?(?:bedankt|dank je|liever niet)", "niet akkoord", "nej,? ?(?:tack|tak)", "nei,? ?takk", "ei,? ?kiitos", "en hyväksy", "en suostu", "nie,? ?dziękuję", "nie (?:zgadzam się|akceptuję|wyrażam zgody)",
  "ne,? ?děkuji", "nesouhlasím", "nesúhlasím", "nem,? ?köszönöm", "nem fogadom el", "nu,? ?mulțumesc", "nu accept", "όχι,? ?ευχαριστώ", "δεν (?:αποδέχομαι|συμφωνώ)", "hayır,? ?teşekkürler", "kabul etmiyorum",
  "нет,? ?спасибо", "не (?:принимать|принимаю|согласен)", "ні,? ?дякую", "не (?:приймаю|погоджуюся)", "ne,? ?hvala", "ne prihvaćam", "いいえ", "아니요", "不了?,? ?谢谢",
];

const whole = (list: string[]) => new RegExp(`^(?:${list.join("|")})$`, "iu");
let firm: RegExp | undefined;
let needed: RegExp | undefined;
let soft: RegExp | undefined;

/** Longest label that is looked at. */
export const LONGEST = 70;

export function firmness(label: string): Firmness {
  if (label.length < 2 || label.length > 2 * LONGEST || !STEMS.test(label)) return 0;
  const s = plain(label);
  if (s.length < 2 || s.length > LONGEST) return 0;
  firm ??= whole(FIRM);
  needed ??= whole(NEEDED);
  soft ??= whole(SOFT);
  return firm.test(s) ? 3 : needed.test(s) ? 2 : soft.test(s) ? 1 : 0;
}

/** A label without what only decorates it. */
export function plain(label: string): string {
  return label.normalize("NFKC").replace(/[\s\u00a0\u200b\u00ad]+/g, " ").replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, "").toLowerCase();
}
