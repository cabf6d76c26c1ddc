import type { Severity } from '#domain/event/event.ts';
import { hash128 } from '#domain/hash.ts';
import { isChangeTitle } from './complaint.ts';
import { errorCodesOf } from './error-codes.ts';
import { keywordsOf } from './keywords.ts';
import { subjectPattern } from './subject-pattern.ts';
import { canonicalHost, type SystemNames, systemOf } from './system.ts';
import { hasWords, titlePattern, withoutHost } from './title-pattern.ts';

/** What identity and signature are made of (docs/specification.md §1). */
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
