/** The claims behind the attributes of a CI, the winning one first. Times are epoch ms. */

import { sameJson } from '#domain/same-json.ts';
import type { Ci, CiChange } from '#domain/topology/topology.ts';

export const SOURCES = ['manual', 'import', 'discovery'] as const;
type FieldSource = (typeof SOURCES)[number];
/** Sources, the one with most authority first. */
export type Authority = readonly FieldSource[];
export const DEFAULT_AUTHORITY: Authority = [...SOURCES];

export interface SourceClaim {
  readonly source: FieldSource;
  /** Scanner, or who wrote it. */
  readonly by: string;
  readonly value: unknown;
  readonly seenAt: number;
}
/** Claims by attribute, the winner first. */
export type Provenance = Readonly<Record<string, readonly SourceClaim[]>>;

/** Per attribute; beyond, the weakest give way. */
export const MAX_CLAIMS = 8;

const DISCOVERY = 'discovery:';
const IMPORT = 'import:';
/** Value of `updatedBy` for a scanner. */
export const writtenByScanner = (scanner: string): string => DISCOVERY + scanner;
/** Value of `updatedBy` for an importing user. */
export const writtenByImport = (who: string): string => IMPORT + who;

/** Author of a CI: manual unless a scanner or an import wrote it. */
function authorOf(updatedBy: string): Pick<SourceClaim, 'source' | 'by'> {
  if (updatedBy.startsWith(DISCOVERY)) return { source: 'discovery', by: updatedBy.slice(DISCOVERY.length) };
  if (updatedBy.startsWith(IMPORT)) return { source: 'import', by: updatedBy.slice(IMPORT.length) };
  return { source: 'manual', by: updatedBy };
}

/** More authority, then freshness; names decide between claims of one moment, so that the order of arrival does not. */
const ranked = (claims: readonly SourceClaim[], authority: Authority): SourceClaim[] => {
  const rank = ({ source }: SourceClaim): number => authority.indexOf(source);
  return [...claims].sort((a, b) => rank(a) - rank(b) || b.seenAt - a.seenAt || (a.by < b.by ? -1 : 1));
};

const isOf = (author: Pick<SourceClaim, 'source' | 'by'>) => {
  // Users and imports are one source each, with the last writer in force. Every scanner is its own source.
  const { source, by } = author;
  return (claim: SourceClaim): boolean => claim.source === source && (source !== 'discovery' || claim.by === by);
};

/** A claim replaces the older one of its author, never a newer one. The same array when nothing changes. */
function withClaim(claims: readonly SourceClaim[], claim: SourceClaim, authority: Authority): readonly SourceClaim[] {
  const own = claims.find(isOf(claim));
  if (own !== undefined && own.seenAt > claim.seenAt) return claims;
  if (own !== undefined && own.seenAt === claim.seenAt && own.by === claim.by && sameJson(own.value, claim.value))
    return claims;
  return ranked([...claims.filter((one) => one !== own), claim], authority).slice(0, MAX_CLAIMS);
}

/** Ranks stored claims again, as the order of authority is a setting. */
const rerank = (claims: readonly SourceClaim[], authority: Authority): readonly SourceClaim[] => {
  const now = ranked(claims, authority);
  return now.every((claim, i) => claim === claims[i]) ? claims : now;
};

/** A CI as it stands, the claims that were stored of it, and who changed it lately. */
export interface StandingCi {
  readonly ci: Ci;
  readonly claims: Provenance;
  /** Newest first; needed where `isUnclaimed`. */
  readonly changes: readonly CiChange[];
}

const claimsOn = (claims: Provenance, name: string): readonly SourceClaim[] =>
  (Object.hasOwn(claims, name) ? claims[name] : undefined) ?? [];
/** The claim of the scanner on the attribute. */
export const claimOf = (claims: Provenance, name: string, scanner: string): SourceClaim | null =>
  claimsOn(claims, name).find(({ source, by }) => source === 'discovery' && by === scanner) ?? null;
/** True if only this scanner has reported the attribute, and earlier. */
export const isOldWordOf = (
  claims: Provenance,
  name: string,
  { scanner, seenAt }: Omit<Report, 'attributes'>,
): boolean => {
  const all = claimsOn(claims, name);
  return all.length > 0 && all.every((one) => one.source === 'discovery' && one.by === scanner && one.seenAt < seenAt);
};
const isSettled = ([winner]: readonly SourceClaim[], value: unknown): boolean =>
  winner !== undefined && sameJson(winner.value, value);

/** True if attributes have no claim, and several possible authors. */
export const isUnclaimed = ({ ci, claims }: Pick<StandingCi, 'ci' | 'claims'>): boolean =>
  ci.revision > 1 && Object.entries(ci.attributes).some(([name, value]) => !isSettled(claimsOn(claims, name), value));

/** The author of the last change of the attribute; the author of the CI when that is too long ago. */
function writerOf(name: string, { ci, changes }: StandingCi): Pick<SourceClaim, 'source' | 'by' | 'seenAt'> {
  if (changes.length === 0) return { ...authorOf(ci.updatedBy), seenAt: ci.updatedAt };
  const last = changes.find(
    ({ before, after }) =>
      after !== null && after.revision <= ci.revision && !sameJson(before?.attributes[name], after.attributes[name]),
  );
  if (last === undefined) return { ...authorOf(ci.createdBy), seenAt: ci.createdAt };
  return { ...authorOf(last.by ?? ci.updatedBy), seenAt: last.at };
}

/**
 * The claims of a CI as it is: the last change wrote a value that is not the winner's. A removed attribute removes its claims. The
 * same object when nothing changes.
 */
export function absorbed(standing: StandingCi, authority: Authority): Provenance {
  const { ci, claims: known } = standing;
  const after: Record<string, readonly SourceClaim[]> = {};
  let isNew = Object.keys(known).some((name) => !Object.hasOwn(ci.attributes, name));
  for (const [name, value] of Object.entries(ci.attributes)) {
    const claims = claimsOn(known, name);
    after[name] = isSettled(claims, value)
      ? rerank(claims, authority)
      : withClaim(claims, { ...writerOf(name, standing), value }, authority);
    if (after[name] !== known[name]) isNew = true;
  }
  return isNew ? after : known;
}

interface Report {
  readonly scanner: string;
  readonly seenAt: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Returns the claims with a scanner's report. The same object when nothing changes. */
export function claimed(known: Provenance, { scanner, seenAt, attributes }: Report, authority: Authority): Provenance {
  const after: Record<string, readonly SourceClaim[]> = { ...known };
  let isNew = false;
  for (const [name, value] of Object.entries(attributes)) {
    const claims = claimsOn(known, name);
    after[name] = withClaim(claims, { source: 'discovery', by: scanner, value, seenAt }, authority);
    if (after[name] !== claims) isNew = true;
  }
  return isNew ? after : known;
}

/** The attributes as the claims decide them; the same object when they stand so already. */
export function decided(ci: Pick<Ci, 'attributes'>, provenance: Provenance): Ci['attributes'] {
  const changed = Object.entries(provenance).flatMap(([name, [winner]]) =>
    winner === undefined || sameJson(ci.attributes[name], winner.value) ? [] : [[name, winner.value] as const],
  );
  return changed.length === 0 ? ci.attributes : { ...ci.attributes, ...Object.fromEntries(changed) };
}

/** The claims on two CIs that turn out to be one: of each author the newer claim counts, then authority and freshness do. */
export function unitedClaims(one: Provenance, other: Provenance, authority: Authority): Provenance {
  const after: Record<string, readonly SourceClaim[]> = { ...one };
  for (const [name, claims] of Object.entries(other))
    after[name] = claims.reduce((known, claim) => withClaim(known, claim, authority), claimsOn(after, name));
  return after;
}
