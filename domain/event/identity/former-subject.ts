import { anyOf, HEXADECIMAL, IPV4, IPV6, NUMBER, SPAN, TIME, UUID } from './title-parts.ts';

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

const SUBJECT_VARIABLE = anyOf(UUID, TIME, IPV4, IPV6, HEXADECIMAL, SPAN, NUMBER);
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

/** The subject of a title as programs up to 0.1 worked it out: their open events carry an identity of it. */
export const formerSubjectPattern = (text: string): string =>
  text.replace(SUBJECT_VARIABLE, subjectPart).replace(/\s+/g, ' ').trim();
