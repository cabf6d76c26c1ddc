import type { Severity } from '#domain/event/event.ts';
import { hash128 } from '#domain/hash.ts';
import { isChangeTitle } from './problem-kind.ts';
import { subjectPattern } from './subject.ts';
import { canonicalHost, type SystemNames, systemOf } from './system.ts';
import { anyOf, IPV4, IPV6, TIME, UUID } from './title-parts.ts';

/** Patterns of titles, without the parts that differ from one occurrence to the next. Linear in the length of the title. */

/** The first that fits at a place wins. Every part is bounded or ends at its own delimiter. */
const VARIABLE = anyOf(
  `"[^"]*"|\`[^\`]*\`|(?<![a-z0-9])'[^']*'(?![a-z0-9])|[“”][^“”]*”`,
  UUID,
  TIME,
  IPV4,
  IPV6,
  '(?<=/)[^\\s/:,;()]*\\d[^\\s/:,;()]*',
  '\\b(?:0x[0-9a-f]+|(?=[a-f]*\\d)[0-9a-f]{6,}|[a-z0-9]*\\d[a-z]+\\d[a-z0-9]*)\\b',
  '\\d+(?:[.,]\\d+)*',
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

/**
 * Removes the event's own host name from a lower-case text, full and short; a name of digits alone stays (it is a
 * number).
 */
export const withoutHost = (text: string, host: string): string => {
  const dot = host.indexOf('.');
  const short = dot < 0 ? host : host.slice(0, dot);
  const rest = host === '' ? text : without(text, host);
  return short.length < 2 || /^\d+$/.test(short) ? rest : without(rest, short);
};

/** Returns the pattern of a lower-case title without its host. */
export const titlePattern = (text: string): string => text.replace(VARIABLE, placeholder).replace(/\s+/g, ' ').trim();

/** False when only placeholders and signs remain: such a title has nothing to compare. */
export const hasWords = (pattern: string): boolean =>
  /\p{L}/u.test(pattern.replace(/<(?:q|uuid|time|ip|path|n)>/g, ''));

/** Words of a title that describe the fault (docs/specification.md §1). Lower case, compared as whole words. */
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
export interface SignedFields extends SystemNames {
  readonly title: string;
  readonly severity: Severity;
  readonly ciType?: string | undefined;
  readonly service?: string | undefined;
  readonly application?: string | undefined;
}

export interface Signatures {
  readonly identity: string;
  readonly signature: string;
  /** True if the title describes a change or deployment. */
  readonly change?: true;
}

/** `system`: each system has its own events. `signature`: the literal reading, hosts fold together (docs/specification.md §1). */
export type DedupScope = 'system' | 'signature';

/** Title pattern and type of the CI: the same problem on any system, at any severity. */
export const templateOf = ({
  title,
  hostname = '',
  ciType,
}: Pick<SignedFields, 'title' | 'hostname' | 'ciType'>): string =>
  hash128(`${part(ciType)}\n${titlePattern(withoutHost(title.toLowerCase(), canonicalHost(hostname)))}`);

/** A shorter name may be a word of the sentence. */
const SHORTEST_NAME = 3;

/**
 * Returns the template without the names of the CI and of its service: the same words on several CIs are one problem.
 */
export const namelessTemplateOf = (
  complained: Pick<SignedFields, 'title' | 'hostname' | 'ciType'>,
  names: readonly (string | undefined)[],
): string => {
  const known = names
    .flatMap((name) => name?.trim().toLowerCase() ?? [])
    .filter(({ length }) => length >= SHORTEST_NAME);
  const title = known.reduce(withoutHost, complained.title.toLowerCase());
  return templateOf({ ...complained, title });
};

/** Works out both values; null when the title has neither words nor codes, so that the event matches nothing. */
export type SignEvent = (complained: SignedFields, scope: DedupScope) => Signatures | null;

const ABSENT = 'absent';
const part = (text: string | undefined): string => text?.trim().toLowerCase() || ABSENT;

interface SignatureParts {
  readonly pattern: string;
  readonly subject: string;
  /** Severity, service or application, codes and keywords as one text. */
  readonly rest: string;
}

/** Null when there is nothing to compare. */
const comparedOf = (complained: SignedFields): SignatureParts | null => {
  const { title, hostname = '', severity } = complained;
  const text = withoutHost(title.toLowerCase(), canonicalHost(hostname));
  const codes = errorCodesOf(text);
  const pattern = titlePattern(text);
  if (codes.length === 0 && !hasWords(pattern)) return null;
  const service = part(complained.service || complained.application);
  const rest = [severity, service, codes.join(' ') || ABSENT, keywordsOf(pattern).join(' ') || ABSENT].join('\n');
  return { pattern, subject: subjectPattern(text), rest };
};

/** Scope `signature` uses the literal reading as the identity: numbers in names count as numbers. */
const identityOf = (complained: SignedFields, scope: DedupScope, { pattern, subject, rest }: SignatureParts): string =>
  hash128(scope === 'signature' ? `${ABSENT}\n${pattern}\n${rest}` : `${systemOf(complained)}\n${subject}\n${rest}`);

export const sign: SignEvent = (complained, scope) => {
  const compared = comparedOf(complained);
  if (compared === null) return null;
  return {
    identity: identityOf(complained, scope, compared),
    signature: hash128(`${part(complained.ciType)}\n${compared.pattern}\n${compared.rest}`),
    ...(isChangeTitle(complained.title) && { change: true }),
  };
};

/** Enough for the distinct problems of a busy minute; about 600 bytes each. */
const CACHED = 20_000;

interface Remembered {
  readonly of: SignedFields;
  readonly scope: DedupScope;
  readonly signed: Signatures | null;
}

/** Title and the name in the key are equal already. */
const isAbout = ({ of, scope }: Remembered, complained: SignedFields, asked: DedupScope): boolean =>
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
 * `sign` with a cache: nine of ten events repeat a problem word by word. Two generations of at most `CACHED` entries
 * make look-ups and evictions cheap. Problems that share the short key replace each other.
 */
export const makeSigner = (cached: number = CACHED): SignEvent => {
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
