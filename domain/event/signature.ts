import { errorCodesOf } from './error-codes.ts';
import type { Severity } from './event.ts';
import { hash128 } from './hash.ts';
import { keywordsOf } from './keywords.ts';
import { canonicalHost, type SystemNames, systemOf } from './system.ts';
import { hasWords, titlePattern, withoutHost } from './title-pattern.ts';

/** What identity and signature are made of (rulings: "Two values, both computed by the API from the record alone"). */
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
}

/** `system`: each system has its own events. `signature`: the literal reading of the specification, hosts fold together. */
export type DedupScope = 'system' | 'signature';

/** Works out both values; null when the title has neither words nor codes, so that the event matches nothing. */
export type Sign = (complained: Complained, scope: DedupScope) => Signatures | null;

const ABSENT = 'absent';
const part = (text: string | undefined): string => text?.trim().toLowerCase() || ABSENT;

/** Title pattern, severity, service or application, codes and keywords as one text; null when there is nothing to compare. */
const complaintOf = (complained: Complained): string | null => {
  const { title, hostname = '', severity } = complained;
  const text = withoutHost(title.toLowerCase(), canonicalHost(hostname));
  const codes = errorCodesOf(text);
  const pattern = titlePattern(text);
  if (codes.length === 0 && !hasWords(pattern)) return null;
  const service = part(complained.service || complained.application);
  return [pattern, severity, service, codes.join(' ') || ABSENT, keywordsOf(pattern).join(' ') || ABSENT].join('\n');
};

export const sign: Sign = (complained, scope) => {
  const complaint = complaintOf(complained);
  if (complaint === null) return null;
  return {
    identity: hash128(`${scope === 'system' ? systemOf(complained) : ABSENT}\n${complaint}`),
    signature: hash128(`${part(complained.ciType)}\n${complaint}`),
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
 * `sign` with a memory: nine of ten events repeat a complaint word by word. Two generations of at most `CACHED`
 * entries, so that neither a look-up nor an eviction costs more when there are many. The key is short, as making it is most of a
 * look-up; complaints that share one replace each other.
 */
export const makeSigner = (cached: number = CACHED): Sign => {
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
