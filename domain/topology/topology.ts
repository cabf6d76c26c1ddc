/** Configuration items and relationships. Times are epoch ms. */
import type { NearCi } from '#domain/correlation/records.ts';

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

/** Types over which a fault travels from target to source (specification, "Relationship types used by dependency analysis"). */
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

export const relationshipType = (type: string): string => type.trim().toLowerCase().replaceAll('-', '_');

export const isCritical = (relationship: Pick<Relationship, 'attributes'>): boolean => {
  const criticality = relationship.attributes.criticality;
  return criticality === 'critical' || criticality === 'high';
};

export type Direction = 'up' | 'down' | 'both';

export interface Hood {
  readonly nodes: readonly (NearCi & { readonly name: string; readonly type: string })[];
  readonly edges: readonly Relationship[];
  readonly truncated: boolean;
}
