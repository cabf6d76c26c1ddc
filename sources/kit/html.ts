/** Returns the plain text of possible HTML. Only real tag names count, so that `free < 10%` and `<unknown>` stay. */

const TAG_NAMES =
  'a|abbr|address|article|aside|b|big|blockquote|body|br|button|caption|center|cite|code|col|colgroup|dd|details|del|div|dl|dt|em|figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|noscript|object|ol|option|p|pre|q|s|samp|script|section|select|small|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video|wbr';
const HIDDEN_START = /<(?:(script|style|head|noscript|iframe|object|svg)\b[^<>]{0,2000}>|!--|!doctype\b)/gi;
const HIDDEN_ENDS: Readonly<Record<string, RegExp>> = {
  script: /<\/script\s{0,9}>/gi,
  style: /<\/style\s{0,9}>/gi,
  head: /<\/head\s{0,9}>/gi,
  noscript: /<\/noscript\s{0,9}>/gi,
  iframe: /<\/iframe\s{0,9}>/gi,
  object: /<\/object\s{0,9}>/gi,
  svg: /<\/svg\s{0,9}>/gi,
  '<!--': /-->/g,
  '<!doctype': />/g,
};
const BREAKS = /<(?:br|\/?(?:p|div|tr|li|ul|ol|table|h[1-6]|hr|pre|section|blockquote))(?:\s[^<>]{0,2000})?\/?>/gi;
const CELLS = /<\/?(?:td|th|dt|dd)(?:\s[^<>]{0,2000})?>/gi;
const TAGS = new RegExp(`</?(?:${TAG_NAMES})(?:\\s[^<>]{0,2000})?/?>`, 'gi');
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,10}));/gi;

/** The named entities that monitors and mail templates use; others stay as they are. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['nbsp', ' '],
  ...'amp& lt< gt> quot" apos\' ndash– mdash— hellip… bull• middot· lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» copy© reg® trade™ deg° microµ plusmn± times× euro€ pound£ larr← rarr→ uarr↑ darr↓ le≤ ge≥ ne≠ aumlä oumlö uumlü AumlÄ OumlÖ UumlÜ szligß eacuteé egraveè agraveà ccedilç ntildeñ aringå oslashø aeligæ'
    .split(' ')
    .map((name): [string, string] => [name.slice(0, -1), name.slice(-1)]),
]);

function character(code: number): string | undefined {
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? String.fromCodePoint(code) : undefined;
}

function decoded(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED.get(name) ?? NAMED.get(name.toLowerCase()) ?? entity;
  return character(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ?? entity;
}

/**
 * Returns the text without comments and content that browsers hide; linear, because a missing end is not searched
 * again.
 */
function withoutHidden(text: string): string {
  const missing = new Set<string>();
  let kept = '';
  let from = 0;
  for (const start of text.matchAll(HIDDEN_START)) {
    const kind = (start[1] ?? start[0]).toLowerCase();
    const end = HIDDEN_ENDS[kind];
    if (start.index < from || end === undefined || missing.has(kind)) continue;
    end.lastIndex = start.index + start[0].length;
    if (!end.test(text)) missing.add(kind);
    else {
      kept += `${text.slice(from, start.index)} `;
      from = end.lastIndex;
    }
  }
  return kept + text.slice(from);
}

/** Text without tags, comments and scripts, entities decoded once; line-making tags become line breaks. */
export function plainText(text: string): string {
  if (!text.includes('<')) return text.includes('&') ? text.replace(ENTITY, decoded) : text;
  return withoutHidden(text)
    .replace(BREAKS, '\n')
    .replace(CELLS, ' ')
    .replace(TAGS, '')
    .replace(ENTITY, decoded)
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/ ?\n ?(?:\s*\n){2,}/g, '\n\n')
    .trim();
}
