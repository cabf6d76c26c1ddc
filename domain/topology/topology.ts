import type { NearCi } from './near.ts';
/** Configuration items and relationships. Times are epoch ms. */

export const CI_STATUSES = ['active', 'inactive', 'maintenance'] as const;
export type CiStatus = (typeof CI_STATUSES)[number];

export interface Ci {
  readonly tenant: string;
  /** ULID. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: CiStatus;
  readonly description?: string;
  readonly externalKey?: string;
  /** Ids and external keys of the CIs that were merged into this one: it is found by them. */
  readonly formerly?: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly customFields: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly createdBy: string;
  readonly updatedBy: string;
  /** Grows by one with every change; what If-Match compares. */
  readonly revision: number;
}

export interface Relationship {
  readonly tenant: string;
  readonly id: string;
  /** Stored with underscores: `depends-on` is `depends_on`. */
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly discoveredBy: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/**
 * `discoveredBy` of a mere proposal of a relationship: no walk follows it and no count has it. And of one that a user
 * has accepted.
 */
export const PROPOSED = 'ai';
export const ACCEPTED = 'ai-accepted';
export const isProposed = ({ discoveredBy }: Pick<Relationship, 'discoveredBy'>): boolean => discoveredBy === PROPOSED;
/** True if AI found it, whether or not a user has accepted it since. */
export const isFromAi = (discoveredBy: string): boolean => discoveredBy === PROPOSED || discoveredBy === ACCEPTED;

/** Types over which a fault travels from target to source (docs/specification.md §5). */
export const DEPENDENCY_TYPES = [
  'depends_on',
  'runs_on',
  'hosted_on',
  'database_connection',
  'network_connection',
  'uses',
] as const;
/** Types that explain a fault upstream: the above plus power and place. */
export const CAUSE_TYPES = [...DEPENDENCY_TYPES, 'powered_by', 'located_in'] as const;
/** Types whose source is a part of its target; for `CONTAINS` vice versa. */
export const PART_TYPES = ['hosted_on', 'runs_on', 'member_of', 'part_of', 'instance_of'] as const;
export const CONTAINS = 'contains';
/** Returns the requested ones of them; all when no types are named. */
export const causeTypesOf = (types: readonly string[] = []): readonly string[] =>
  types.length === 0 ? CAUSE_TYPES : CAUSE_TYPES.filter((type) => types.includes(type));

/** Usual types; other spellings (`Depends On`, `dependson`) are stored as these. */
export const KNOWN_RELATIONSHIPS = [
  ...CAUSE_TYPES,
  'connects_to',
  'contains',
  'part_of',
  'member_of',
  'managed_by',
  'monitored_by',
  'backed_up_by',
  'peers_with',
] as const;

const withoutSeparators = (type: string): string => type.toLowerCase().replace(/[-_\s]/g, '');
const KNOWN_FORMS: ReadonlyMap<string, string> = new Map(
  KNOWN_RELATIONSHIPS.map((type) => [withoutSeparators(type), type]),
);

/** The one form in which a type is stored. */
export const relationshipType = (type: string): string =>
  KNOWN_FORMS.get(withoutSeparators(type)) ?? type.trim().toLowerCase().replaceAll('-', '_');

export const isCritical = (relationship: Pick<Relationship, 'attributes'>): boolean => {
  const { criticality } = relationship.attributes;
  return typeof criticality === 'string' && /^(?:critical|high)$/i.test(criticality.trim());
};

/**
 * One path of several to the same end: of a source's paths with the same group, `required` must be there for it to live. A source cannot
 * do without a relationship that has no group.
 */
export interface Redundancy {
  readonly group: string;
  /** Minimum 1. */
  readonly required: number;
}

/**
 * Reads `attributes.redundancy_group`, a text, and `attributes.redundancy_required`, a whole number, 1 when absent or
 * malformed.
 */
export function redundancyOf({ attributes }: Pick<Relationship, 'attributes'>): Redundancy | null {
  const { redundancy_group: group, redundancy_required: required } = attributes;
  if (typeof group !== 'string' || group === '') return null;
  return { group, required: Number.isInteger(required) ? Math.max(1, required as number) : 1 };
}

export type Direction = 'up' | 'down' | 'both';

export interface Neighbourhood {
  readonly nodes: readonly (NearCi & { readonly name: string; readonly type: string })[];
  readonly edges: readonly Relationship[];
  readonly truncated: boolean;
}

/** A group of paths of which enough are left. */
export interface Surviving {
  readonly group: string;
  readonly required: number;
  /** Paths of the group, and paths that do not lead to a failed CI. */
  readonly members: number;
  readonly surviving: number;
}

interface CiNameAndType {
  readonly name: string;
  readonly type: string;
}

/** The impact of some CIs, nearest first, and the CIs that redundancy saves. */
export interface Impact {
  readonly impacted: readonly (NearCi & CiNameAndType)[];
  readonly protected: readonly (CiNameAndType & {
    readonly ci: string;
    readonly hops: number;
    readonly groups: readonly Surviving[];
  })[];
  readonly truncated: boolean;
  /** CIs that are down now and would else have saved one that fails. Absent: none. */
  readonly partnersDown?: readonly (CiNameAndType & { readonly ci: string })[];
}

/**
 * One change of a CI: made when `before` is null, or its previous version is forgotten; removed when `after` is null.
 */
export interface CiChange {
  readonly at: number;
  /** Null when a removal does not contain it. */
  readonly by: string | null;
  readonly before: Ci | null;
  readonly after: Ci | null;
}
