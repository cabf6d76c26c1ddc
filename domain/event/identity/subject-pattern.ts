/** The pattern of a title in which names stay: `eth0`, `port 80`, `"nginx"`. Linear in the length of the title. */
import { CLOCK, DAY, WEEKDAY } from './title-times.ts';

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
const VARIABLE = new RegExp(
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
const PLACEHOLDERS = ['<uuid>', '<time>', '<ip>', '<ip>', '<n>', '<n>'] as const;

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

const replaced = (match: string, ...rest: unknown[]): string => {
  const groups = rest.slice(0, PLACEHOLDERS.length);
  const known = groups.findIndex((group) => group !== undefined);
  if (known >= 0) return PLACEHOLDERS[known] ?? '<n>';
  const [offset, text] = rest.slice(PLACEHOLDERS.length + 1) as [number, string];
  const end = offset + match.length;
  return names(match, text.slice(Math.max(0, offset - NEAR), offset), text.slice(end, end + NEAR)) ? match : '<n>';
};

/** The pattern of a lower-case title whose host is taken out already. */
export const subjectPattern = (text: string): string => text.replace(VARIABLE, replaced).replace(/\s+/g, ' ').trim();
