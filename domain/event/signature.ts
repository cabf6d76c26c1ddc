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

/** Enough for the distinct complaints of a busy minute; about 400 bytes each. */
const CACHED = 20_000;

/**
 * `sign` with a memory: nine of ten events repeat a complaint word by word. Two generations of at most `CACHED`
 * entries, so that neither a look-up nor an eviction costs more when there are many.
 */
export const makeSigner = (cached: number = CACHED): Sign => {
  let young = new Map<string, Signatures | null>();
  let old = young;
  return (complained, scope) => {
    const { title, severity, hostname, ipAddress, ciId, source, ciType, service, application } = complained;
    const key = `${scope}\n${severity}\n${hostname}\n${ipAddress}\n${ciId}\n${source}\n${ciType}\n${service}\n${application}\n${title}`;
    const known = young.get(key);
    if (known !== undefined) return known;
    const signed = old.get(key) ?? sign(complained, scope);
    if (young.size >= cached) {
      old = young;
      young = new Map();
    }
    young.set(key, signed);
    return signed;
  };
};
