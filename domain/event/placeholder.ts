/** Texts that senders write where they have no value: blanks, words for nothing, templates as they were. */

/** Length above which no value counts as a placeholder. */
const MAX_LENGTH = 400;

/** Words for nothing, in lower case, without the brackets around them. */
const NOTHING: ReadonlySet<string> = new Set(
  [
    ',null,nil,none,undefined,unknown,unset,nan,#n/a,n/a,n.a.,not set,no value,no_value,novalue,not available',
    'not applicable,unspecified,not specified',
  ].flatMap((line) => line.split(',')),
);
const BRACKETED = /^(?:<(.*)>|\[(.*)\]|\((.*)\)|\{(.*)\}|\*(.*)\*|"(.*)"|'(.*)')$/s;
const SIGNS_ONLY = /^[-–—_?*.#]+$/;

/** A template of Go, Jinja, Helm or a shell in the text: its value is missing. */
const TEMPLATE = /\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}|<%[^<>%]{0,200}%>|[<[(]no value[\])>]/i;

/**
 * Macros that a monitor sent as they were: `{EVENT.ID}`, `{HOST.NAME1}`, `{$MACRO:"x"}`, `{#LLD}`, `{{ITEM.VALUE}.regsub(…)}`,
 * `$HOSTNAME$`, `$host.name$`, `$ALERT_ID`, `%HOSTNAME%`, `%%host%%`.
 */
const MACROS = [
  /^\{[$#?]?[A-Z][A-Z0-9_.]{1,100}(?:[:<][^{}]{0,200})?\}$/,
  /^\{\{[A-Z][A-Z0-9_.]{1,100}\}\.[^{}]{0,200}\}$/,
  /^\{\?.{1,200}\}$/,
  /^\$[A-Za-z_][\w.:-]{0,100}\$$/,
  /^\$[A-Z][A-Z0-9_]{1,60}(?:\[[^\]]{0,100}\])?$/,
  /^%{1,2}[A-Za-z_][\w.-]{0,100}%{1,2}$/,
  /^%\([\w.-]{1,100}\)s$/,
  /^@@?[A-Za-z_][\w.-]{0,100}@@?$/,
];
const MACRO_START = /^[{$%@]/;

/** Most names are long and have no such mark. */
const MAY_BE = /^.{0,16}$|[{<[($%@"'*]/s;

/** Returns the text without one pair of brackets: `(null)`, `<no value>`, `*UNKNOWN*`. */
const bare = (text: string): string =>
  BRACKETED.exec(text)
    ?.slice(1)
    .find((inner) => inner !== undefined)
    ?.trim() ?? text;

/**
 * True if a name, an address or an id is a placeholder: `[no value]`, `{{ $labels.x }}`, `${HOST}`, `$HOSTNAME$`,
 * `null`, `unknown`, `n/a`, `-`.
 */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  if (text.length > MAX_LENGTH || !MAY_BE.test(text)) return false;
  if (NOTHING.has(bare(text).toLowerCase()) || SIGNS_ONLY.test(text) || TEMPLATE.test(text)) return true;
  return MACRO_START.test(text) && MACROS.some((macro) => macro.test(text));
}
