import type { Severity } from '#domain/event/event.ts';
import { hash128 } from '#domain/hash.ts';
import { isChangeTitle } from './complaint.ts';
import { canonicalHost, type SystemNames, systemOf } from './system.ts';

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

/** Words of a title that say what is wrong (docs/specification.md §1). Lower case, compared as whole words. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `down unreachable unavailable offline timeout timedout refused reset closed lost missing full exhausted exceeded oom
   killed crash crashed crashing crashloopbackoff failed failure failing fail error errors exception panic denied forbidden
   unauthorized expired expiring expires invalid degraded flapping deadlock latency slow saturated throttled overload
   overloaded high low stuck hung blocked backlog lag corrupt corrupted stopped restarted rebooted unhealthy unstable
   unresponsive disconnected dropped loss leak critical mismatch overheating disk memory cpu swap load certificate dns
   replication backup power fan temperature link interface bgp raid quota inode`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const WORD = /[a-z]+/g;

/** Keywords of a lower-case text, sorted, without repeats. */
export const keywordsOf = (text: string): readonly string[] => {
  const found = new Set<string>();
  for (const word of text.match(WORD) ?? []) if (KEYWORDS.has(word)) found.add(word);
  return [...found].sort();
};

/** Tokens of a title that name an error: `E1234`, `ORA-00600`, `HTTP 503`, `0x80070005`, SQLSTATE, errno names. */

const VENDOR =
  '(?:ORA|TNS|PLS|RMAN|CRS|ASM|DIA|HY|MY|MSG|SP2|IMP|EXP|SQL|DB2|LDAP|NTDS|WMI|AADSTS|HRESULT)-?\\d{3,6}[A-Z]?';
const HTTP = '(?:HTTP(?:/\\d(?:\\.\\d)?)?|status)(?: ?(?:code|status|error))?[ :=-]{0,2}[1-5](?:\\d\\d|xx)';
const REASON =
  '[45]\\d\\d(?= (?:service unavailable|bad gateway|gateway time|internal server error|not found|forbidden|unauthorized|too many))';
/** A bare word needs three digits: `error: 17 connections` counts something. */
const NUMBERED =
  '(?:E\\d{3,6}|(?:ERR|ERROR|MSG)[ :=_#-]{0,2}\\d{3,6}|(?:errno|error code|event id|exit(?: code| status)|signal)[ :=_#-]{0,2}\\d{1,6})';
const SQLSTATE = 'SQLSTATE[ :=\\[(]{0,3}[0-9A-Z]{5}';
const HEXADECIMAL = '0x[0-9A-F]{4,8}';
const NAMED =
  '(?:SIG(?:KILL|SEGV|TERM|ABRT|BUS|HUP|PIPE|ILL|FPE)|NXDOMAIN|SERVFAIL|ERR_[A-Z_]{3,40}|E(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|AI_AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|DQUOT|EXIST|FBIG|HOSTDOWN|HOSTUNREACH|INTR|INVAL|IO|ISDIR|LOOP|MFILE|NAMETOOLONG|NETDOWN|NETRESET|NETUNREACH|NFILE|NOBUFS|NODEV|NOENT|NOMEM|NOSPC|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|PROTO|RANGE|ROFS|SRCH|STALE|TIMEDOUT|XDEV))';

const CODE = new RegExp(`\\b(?:${[VENDOR, HTTP, REASON, SQLSTATE, HEXADECIMAL, NUMBERED, NAMED].join('|')})\\b`, 'gi');

/** `HTTP/1.1 503`, `status code: 503` and `HTTP 503` are one code. */
const normalise = (code: string): string => {
  const upper = code.toUpperCase();
  const status = /^(?:HTTP|STATUS|[45]\d\d$)/.test(upper) ? /[1-5](?:\d\d|XX)$/.exec(upper) : null;
  return status === null ? upper.replace(/[ :=[(#]+/g, ' ') : `HTTP ${status[0]}`;
};

/** Error codes of a title in upper case, sorted, without repeats. */
export const errorCodesOf = (title: string): readonly string[] => {
  const codes = title.match(CODE);
  return codes === null ? [] : [...new Set(codes.map(normalise))].sort();
};

/** Inputs of identity and signature (docs/specification.md §1). */
export interface Complained extends SystemNames {
  readonly title: string;
  readonly severity: Severity;
  readonly ciType?: string | undefined;
  readonly service?: string | undefined;
  readonly application?: string | undefined;
}

export interface Signatures {
  readonly identity: string;
  readonly signature: string;
  /** Identity by the title pattern, as programs made it that knew no subject pattern; absent when it is the same. */
  readonly legacyIdentity?: string;
  /** The title says that something was changed or deployed. */
  readonly change?: true;
}

/** `system`: each system has its own events. `signature`: the literal reading, hosts fold together (docs/specification.md §1). */
export type DedupScope = 'system' | 'signature';

/** Title pattern and type of the CI: the same complaint on whichever system, whatever its severity. */
export const templateOf = ({
  title,
  hostname = '',
  ciType,
}: Pick<Complained, 'title' | 'hostname' | 'ciType'>): string =>
  hash128(`${part(ciType)}\n${titlePattern(withoutHost(title.toLowerCase(), canonicalHost(hostname)))}`);

/** Works out both values; null when the title has neither words nor codes, so that the event matches nothing. */
export type SignComplaint = (complained: Complained, scope: DedupScope) => Signatures | null;

const ABSENT = 'absent';
const part = (text: string | undefined): string => text?.trim().toLowerCase() || ABSENT;

interface Compared {
  /** Title pattern, and the subject pattern. */
  readonly pattern: string;
  readonly subject: string;
  /** Severity, service or application, codes and keywords as one text. */
  readonly rest: string;
}

/** Null when there is nothing to compare. */
const comparedOf = (complained: Complained): Compared | null => {
  const { title, hostname = '', severity } = complained;
  const text = withoutHost(title.toLowerCase(), canonicalHost(hostname));
  const codes = errorCodesOf(text);
  const pattern = titlePattern(text);
  if (codes.length === 0 && !hasWords(pattern)) return null;
  const service = part(complained.service || complained.application);
  const rest = [severity, service, codes.join(' ') || ABSENT, keywordsOf(pattern).join(' ') || ABSENT].join('\n');
  return { pattern, subject: subjectPattern(text), rest };
};

/** With scope `signature` the identity is the literal reading: what a title names is a number there, too. */
const identitiesOf = (complained: Complained, scope: DedupScope, { pattern, subject, rest }: Compared) => {
  if (scope === 'signature') return { identity: hash128(`${ABSENT}\n${pattern}\n${rest}`) };
  const system = systemOf(complained);
  const identity = hash128(`${system}\n${subject}\n${rest}`);
  return subject === pattern ? { identity } : { identity, legacyIdentity: hash128(`${system}\n${pattern}\n${rest}`) };
};

export const sign: SignComplaint = (complained, scope) => {
  const compared = comparedOf(complained);
  if (compared === null) return null;
  return {
    ...identitiesOf(complained, scope, compared),
    signature: hash128(`${part(complained.ciType)}\n${compared.pattern}\n${compared.rest}`),
    ...(isChangeTitle(complained.title) && { change: true }),
  };
};

/** Enough for the distinct complaints of a busy minute; about 600 bytes each. */
const CACHED = 20_000;

interface Remembered {
  readonly of: Complained;
  readonly scope: DedupScope;
  readonly signed: Signatures | null;
}

/** Title and the name in the key are equal already. */
const isAbout = ({ of, scope }: Remembered, complained: Complained, asked: DedupScope): boolean =>
  scope === asked &&
  of.severity === complained.severity &&
  of.hostname === complained.hostname &&
  of.ipAddress === complained.ipAddress &&
  of.ciId === complained.ciId &&
  of.source === complained.source &&
  of.ciType === complained.ciType &&
  of.service === complained.service &&
  of.application === complained.application;

/**
 * `sign` with a memory: nine of ten events repeat a complaint word by word. Two generations of at most `CACHED` entries make look-ups and
 * evictions cheap. Complaints that share the short key replace each other.
 */
export const makeSigner = (cached: number = CACHED): SignComplaint => {
  let young = new Map<string, Remembered>();
  let old = young;
  return (complained, scope) => {
    const { title, hostname, ipAddress, ciId } = complained;
    const key = `${hostname ?? ipAddress ?? ciId}\n${title}`;
    const newest = young.get(key);
    if (newest !== undefined && isAbout(newest, complained, scope)) return newest.signed;
    const older = old.get(key);
    const known = older !== undefined && isAbout(older, complained, scope) ? older : undefined;
    if (young.size >= cached) {
      old = young;
      young = new Map();
    }
    const remembered = known ?? { of: complained, scope, signed: sign(complained, scope) };
    young.set(key, remembered);
    return remembered.signed;
  };
};
