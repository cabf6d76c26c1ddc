/** Patterns of titles, without the parts that differ from one occurrence to the next. Linear in the length of the title. */

/** How titles write days and times, as parts of regular expressions over lower-case text; each is bounded. */
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]{0,4}day)?,? )?';
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const CLOCK = '\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?: ?(?:z|utc|gmt|am|pm|[+-]\\d\\d:?\\d\\d)\\b)?';
const DAY = `(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}|(?:\\d{1,2} )?${MONTH} \\d{1,4}(?:,? \\d{4})?)`;

/** Alternatives in order: the first that fits at a place wins. Every part is bounded or ends at its own delimiter. */
const VARIABLE = new RegExp(
  [
    `"[^"]*"|\`[^\`]*\`|(?<![a-z0-9])'[^']*'(?![a-z0-9])|[“”][^“”]*”`,
    '\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b',
    `\\b${WEEKDAY}${DAY}(?:[t ,@]{1,2}${CLOCK}(?: \\d{4}\\b)?)?|\\b${CLOCK}(?![\\w:])`,
    '\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.])(?::\\d{1,5})?(?:/\\d{1,2})?',
    '(?<![\\w:.])\\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\\w{1,15})?(?:\\](?::\\d{1,5})?)?(?![\\w:])',
    '(?<=/)[^\\s/:,;()]*\\d[^\\s/:,;()]*',
    '\\b(?:0x[0-9a-f]+|(?=[a-f]*\\d)[0-9a-f]{6,}|[a-z0-9]*\\d[a-z]+\\d[a-z0-9]*)\\b',
    '\\d+(?:[.,]\\d+)*',
  ]
    .map((part) => `(${part})`)
    .join('|'),
  'g',
);
const PLACEHOLDERS = ['<q>', '<uuid>', '<time>', '<ip>', '<ip>', '<path>', '<n>', '<n>'] as const;

const placeholder = (_match: string, ...groups: unknown[]): string =>
  PLACEHOLDERS[groups.findIndex((group) => group !== undefined)] ?? '<n>';

const isNamePart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95;

/** End of a domain that follows a host name: `.example.com`, but not the full stop of a sentence. */
const domainEnd = (text: string, from: number): number => {
  let at = from;
  while (text[at] === '.' && isNamePart(text.charCodeAt(at + 1))) {
    at += 1;
    while (isNamePart(text.charCodeAt(at))) at += 1;
  }
  return at;
};

const without = (text: string, name: string): string => {
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const before = text.charCodeAt(at - 1);
    const end = at + name.length;
    if (isNamePart(before) || before === 46 || isNamePart(text.charCodeAt(end))) continue;
    rest += text.slice(from, at);
    from = domainEnd(text, end);
  }
  return from === 0 ? text : rest + text.slice(from);
};

/** Takes the event's own host name out of a lower-case text, whole and short; a name of digits alone stays (it is a number). */
export const withoutHost = (text: string, host: string): string => {
  const dot = host.indexOf('.');
  const short = dot < 0 ? host : host.slice(0, dot);
  const rest = host === '' ? text : without(text, host);
  return short.length < 2 || /^\d+$/.test(short) ? rest : without(rest, short);
};

/** The pattern of a lower-case title whose host is taken out already. */
export const titlePattern = (text: string): string => text.replace(VARIABLE, placeholder).replace(/\s+/g, ' ').trim();

/** False when nothing but placeholders and signs is left: such a title says nothing that could be compared. */
export const hasWords = (pattern: string): boolean =>
  /\p{L}/u.test(pattern.replace(/<(?:q|uuid|time|ip|path|n)>/g, ''));

/** Words before a number that names one of several. */
const NAMING: ReadonlySet<string> = new Set(
  'port interface disk device cpu core slot fan psu volume lun vlan queue topic partition shard replica worker job service process unit table index pod container'.split(
    ' ',
  ),
);
/** Words after a number that is a reading or a count. */
const UNITS: ReadonlySet<string> = new Set(
  [
    '% percent pct ns us ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w week weeks',
    'b kb mb gb tb pb kib mib gib tib byte bytes k bit bits bps kbps mbps gbps rpm c f v volt volts w watt watts amp amps',
    'hz khz mhz ghz db dbm iops rps qps tps times reqs requests msgs messages events retries attempts items entries',
    'records rows connections sessions threads files packets users',
  ]
    .join(' ')
    .split(' '),
);

/** Alternatives in order: the first that fits at a place wins. Every part is bounded or ends at its own delimiter. */
const SUBJECT_VARIABLE = new RegExp(
  [
    '\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b',
    `\\b${WEEKDAY}${DAY}(?:[t ,@]{1,2}${CLOCK}(?: \\d{4}\\b)?)?|\\b${CLOCK}(?![\\w:])`,
    '\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.])(?::\\d{1,5})?(?:/\\d{1,2})?',
    '(?<![\\w:.])\\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\\w{1,15})?(?:\\](?::\\d{1,5})?)?(?![\\w:])',
    '\\b(?:0x[0-9a-f]+|(?=[a-f]*\\d)[0-9a-f]{6,})\\b',
    '(?<![a-z0-9])(?:\\d{1,9}(?:d|h|m|s|min|sec|ms|us|ns|w|y)){2,6}(?![a-z0-9])',
    '\\d+(?:[.,/:]\\d+)*',
  ]
    .map((part) => `(${part})`)
    .join('|'),
  'g',
);
const SUBJECT_PLACEHOLDERS = ['<uuid>', '<time>', '<ip>', '<ip>', '<n>', '<n>'] as const;

/** As far as a naming word or a unit may be away, with what stands between. */
const NEAR = 14;
const WORD_AFTER = /^ ?(%|[a-z]{1,11})(?![a-z0-9])/;
const WORD_BEFORE = /(?:^|[^a-z0-9])([a-z]{1,9}) ?[:#=]? ?$/;
const GLUED_BEFORE = /[a-z][_-]?$/;
const LETTER = /^[a-z]/;

const isReading = (after: string): boolean => UNITS.has(WORD_AFTER.exec(after)?.[1] ?? '');

const isNaming = (word: string): boolean => NAMING.has(word) || (word.endsWith('s') && NAMING.has(word.slice(0, -1)));

/** Whether a number names what the title is about; `1.5` is a reading, whatever stands before it. */
const names = (number: string, before: string, after: string): boolean => {
  if (GLUED_BEFORE.test(before)) return true;
  if (isReading(after)) return false;
  if (LETTER.test(after)) return true;
  return !/[.,]/.test(number) && isNaming(WORD_BEFORE.exec(before)?.[1] ?? '');
};

const subjectPart = (match: string, ...rest: unknown[]): string => {
  const groups = rest.slice(0, SUBJECT_PLACEHOLDERS.length);
  const known = groups.findIndex((group) => group !== undefined);
  if (known >= 0) return SUBJECT_PLACEHOLDERS[known] ?? '<n>';
  const [offset, text] = rest.slice(SUBJECT_PLACEHOLDERS.length + 1) as [number, string];
  const end = offset + match.length;
  return names(match, text.slice(Math.max(0, offset - NEAR), offset), text.slice(end, end + NEAR)) ? match : '<n>';
};

/** The same, but names stay: `eth0`, `port 80`, `"nginx"`. */
export const subjectPattern = (text: string): string =>
  text.replace(SUBJECT_VARIABLE, subjectPart).replace(/\s+/g, ' ').trim();
