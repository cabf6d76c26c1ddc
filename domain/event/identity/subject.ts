/** The subject of a title: things that are told apart by a number or an address stay, readings go. Linear in the length of the title. */

import {
  COUNTED,
  FILLERS,
  HOLDERS,
  MEASURES,
  NO_VERBS,
  NUMBERED_ON,
  PARTS,
  PASSING,
  QUANTITY,
  UNITS,
} from './subject-words.ts';
import { anyOf, HEXADECIMAL, IPV4, IPV6, NUMBER, SPAN, TIME, UUID } from './title-parts.ts';

/** Names of storage and clouds that are made of numbers: `iqn.2001-05.com.example:0-8a0906`, `naa.600508b4`, `vol-0abc123def456`. */
const LONG_NAME =
  '\\b(?:iqn|nqn|naa|eui|t10|wwn|urn|arn)[.:][^\\s,;()\\[\\]"\']+|\\b(?:i|vol|snap|ami|eni|vpc|subnet|sg|igw|nat|rtb|acl|tgw|vgw|cgw|vpn|pcx|eipalloc|fs|lt|dopt)-[0-9a-f]{8,17}\\b';
/** Ids that are new each time, of whatever they are made: `request id 7fj3k-2`. */
const NEW_ID =
  '\\b(?:request|req|session|transaction|txn|trace|span|correlation|query|message|msg|execution|delivery)(?:[ _-]?id)?[ :=#]{1,2}[a-z0-9][a-z0-9_-]{0,80}';

/** The first that fits at a place wins. Every part is bounded or ends at its own delimiter. */
const VARIABLE = anyOf(LONG_NAME, NEW_ID, UUID, TIME, IPV4, IPV6, HEXADECIMAL, SPAN, NUMBER);
type Kind = 'name' | 'id' | 'uuid' | 'time' | 'address' | 'hexadecimal' | 'n' | 'number';
const KINDS: readonly Kind[] = ['name', 'id', 'uuid', 'time', 'address', 'address', 'hexadecimal', 'n', 'number'];

/** As far as the words beside a number may be away. */
const BEFORE = 48;
const AFTER = 16;

const WORD_AFTER = /^[ -]?([%°℃‰]|[\p{L}]{1,15})(?![\p{L}\d])/u;
/** The last word, and what stands between it and the number. */
const WORD_BEFORE = /(\p{L}{1,30})?([\s\p{P}\p{S}]{0,6})$/u;
const LETTER = /^\p{L}/u;

/** The surroundings of a number. */
interface Beside {
  readonly before: string;
  readonly after: string;
  /** The last word before it, past `id` and `no.`, and what stands between. */
  readonly word: string;
  readonly gap: string;
  /** The same word, as one of many. */
  readonly one: string;
}

/** A plural, but no singular that ends so. */
const PLURAL = /(?<![sui])s$/;
const singularOf = (word: string): string => (PLURAL.test(word) && !PARTS.has(word) ? word.slice(0, -1) : word);

const placed = (before: string, after: string): Beside => {
  const [whole = '', word = '', gap = ''] = WORD_BEFORE.exec(before) ?? [];
  if (!FILLERS.has(word)) return { before, after, word, gap, one: singularOf(word) };
  const further = WORD_BEFORE.exec(before.slice(0, before.length - whole.length))?.[1] ?? 'id';
  return { before, after, word: further, gap: ' ', one: singularOf(further) };
};

const VERB = /(?:ed|ing|ly)$/;
const isMeasure = (word: string): boolean => MEASURES.has(word) || (VERB.test(word) && !NO_VERBS.has(word));

const nextOf = (after: string): string => WORD_AFTER.exec(after)?.[1] ?? '';
/** A unit after the number makes a reading of it; so does a noun that is counted, unless a part that has such a number stands before it. */
const isCounted = ({ after, one }: Beside): boolean => {
  const next = nextOf(after);
  return UNITS.has(next) || (COUNTED.has(next) && !PARTS.has(one));
};

/** A number that only tells one time from the next. */
const isPassing = (number: string, { one, before }: Beside): boolean => {
  const { length } = number.replace(/\D/g, '');
  if (PASSING.has(one)) return true;
  if (one === 'line') return /(?:at|,) line ?:? ?$/.test(before);
  if (one === 'port') return length >= 5 && Number(number) >= FIRST_PASSING_PORT && /from \S+ port $/.test(before);
  if (PARTS.has(one)) return false;
  if (NUMBERED_ON.has(one)) return length >= (one === 'process' ? 3 : 6);
  return length >= (HOLDERS.has(one) ? 6 : 5);
};

const DECIMAL = /^\d+\.\d+$/;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
/** Parts whose number may have a dot. */
const DOTTED: ReadonlySet<string> = new Set(
  'slot port interface ethernet module bay drive disk fan psu card blade'.split(' '),
);

/** `2/3`: two of three. */
const isShare = (number: string): boolean => {
  const [share = '', whole = '', more] = number.split('/');
  return more === undefined && whole !== '' && Number(share) <= Number(whole);
};

/** After a word with a blank between: `vm 101`, `disk #3`, but `load 3.4`, `replicas 2/3`, `failed 5 times`. */
function namesAfter(number: string, beside: Beside): boolean {
  const { word, one } = beside;
  if (isPassing(number, beside) || isCounted(beside) || THOUSANDS.test(number)) return false;
  if (DECIMAL.test(number)) return DOTTED.has(word);
  const isMany = word !== one;
  if (PARTS.has(one)) return !(isMany && isShare(number));
  if (isMany || isMeasure(word) || number.includes(',')) return false;
  return HOLDERS.has(word) || !isShare(number);
}

/** Nothing says what it is: `1/0/24` names a port, everything else counts something. */
const namesAlone = (number: string): boolean => /^\d+\/\d+\/\d+/.test(number);

/** The run without blanks that a number ends: `cve-2024-`, `db-1:`. */
const RUN = /[^\s,;()[\]"'=]{0,48}$/;
const HOST_BEFORE = /(?:[\p{L}\d-]{0,40}[\d.][\p{L}\d.-]{0,40}|localhost):$/u;
/** From here on systems give ports to clients. */
const FIRST_PASSING_PORT = 32_768;

/** In a name that has a number already: `cve-2024-1234`, or after it: `1-4`, `db-1:5432`. */
function namesFurther(number: string, { before }: Beside, kept: boolean): boolean {
  const run = RUN.exec(before)?.[0] ?? '';
  if (run.endsWith(':')) return HOST_BEFORE.test(run) && Number(number) < FIRST_PASSING_PORT;
  return /\p{L}/u.test(run) || kept;
}

/** Longer ones in a path are ids of what is asked for. */
const PATH_DIGITS = 3;
const PROTOCOLS: ReadonlySet<string> = new Set(['tcp', 'udp', 'sctp']);
const namesInPath = (number: string, { one }: Beside): boolean =>
  PROTOCOLS.has(one) || PARTS.has(one) || number.length <= PATH_DIGITS;

const GLUED = /^[-._]?$/;
const COMPARES = /[<>≤≥~≈$€£+]/;
const LABELS = /[:=([{]/;
const FURTHER = /\d(?:, ?| ?[&+] ?| and | or )$/;

/** Whether a number names what the title is about. `kept`: the number before it does. */
function isName(number: string, beside: Beside, kept: boolean): boolean {
  const { before, after, word, gap, one } = beside;
  if (FURTHER.test(before)) return kept && !UNITS.has(nextOf(after));
  if (LETTER.test(after) && !PASSING.has(one)) return !isCounted(beside);
  if (gap.endsWith('/')) return namesInPath(number, beside);
  if (word === '') return /\d[-._:]$/.test(before) ? namesFurther(number, beside, kept) : namesAlone(number);
  if (GLUED.test(gap)) return !PASSING.has(one);
  if (COMPARES.test(gap)) return false;
  if (gap === ':' && HOST_BEFORE.test(RUN.exec(before)?.[0] ?? '')) return namesFurther(number, beside, kept);
  if (LABELS.test(gap)) return PARTS.has(word) && namesAfter(number, beside);
  return (gap === ' ' || gap.includes('#')) && namesAfter(number, beside);
}

/** Before the address of a client. */
const CLIENT = /(?:client|clients|src|rhost|requester|visitor|attacker|user)[ :=(#]{0,3}$/;
const FROM = /(?:from|by|remote|peer)[ :=(]{1,2}$/;
const SIGNS_IN = /log[io]ns?|password|auth|sign.?in|ssh/;
const PORT = /[\d\]]:(\d{5})$/;
const PORT_AFTER = /^ port \d{5}(?!\d)/;

/** An address stays, without the port of a client; the address of a client goes, and so does a time in many parts. */
function addressIn(address: string, { before, after, word }: Beside, signsIn: boolean): string {
  const isPassingPort = Number(PORT.exec(address)?.[1] ?? 0) >= FIRST_PASSING_PORT;
  if (/^[\d:]+$/.test(address) && MEASURES.has(word)) return '<n>';
  if (CLIENT.test(before)) return '<ip>';
  if (FROM.test(before) && (isPassingPort || PORT_AFTER.test(after) || signsIn)) return '<ip>';
  return isPassingPort ? address.replace(/\d{5}$/, '<n>') : address;
}

const DIGITS = /^\d+$/;
/** Hexadecimal ids of things that bear them for life; those of containers and requests are new each time. */
const namesByHex = (hexadecimal: string, { one }: Beside): boolean => !hexadecimal.startsWith('0x') && PARTS.has(one);

const UNIT_AFTER = /<n>[ -]?([a-zµ]{1,7})(?![\p{L}\d])/gu;
const ofQuantity = (reading: string, unit: string): string => {
  const quantity = QUANTITY.get(unit);
  return quantity === undefined ? reading : `<n> ${quantity}`;
};
/** `2 h 5 min` is one reading, as `45 min` is. */
const SUM = /(?:<n> s )+(?=<n> s(?![\p{L}\d]))/gu;
/** Readings of one quantity alike: `1.2 GB` as `900 MB`. */
const inOneUnit = (pattern: string): string =>
  pattern.includes('<n>') ? pattern.replace(UNIT_AFTER, ofQuantity).replace(SUM, '') : pattern;

/** Numbers and addresses that name a thing stay, as names do: `eth0`, `vm 101`, `"nginx"`; readings, times and passing ids go. */
export const subjectPattern = (text: string): string => {
  let kept = false;
  let signsIn: boolean | undefined;
  const partOf = (match: string, ...rest: unknown[]): string => {
    const kind = KINDS[rest.slice(0, KINDS.length).findIndex((group) => group !== undefined)];
    if (kind === 'name') return match;
    if (kind === 'id') return /\d/.test(match) ? match.replace(/[a-z0-9_-]{1,81}$/, '<n>') : match;
    if (kind === 'n') return '<n> s';
    if (kind === 'uuid' || kind === 'time') return `<${kind}>`;
    const offset = rest[KINDS.length] as number;
    const end = offset + match.length;
    const beside = placed(text.slice(Math.max(0, offset - BEFORE), offset), text.slice(end, end + AFTER));
    if (kind === 'address') {
      signsIn ??= SIGNS_IN.test(text);
      return addressIn(match, beside, signsIn);
    }
    kept = kind === 'number' || DIGITS.test(match) ? isName(match, beside, kept) : namesByHex(match, beside);
    return kept ? match : '<n>';
  };
  return inOneUnit(text.replace(VARIABLE, partOf).replace(/\s+/g, ' ').trim());
};
