import type { Part } from '#domain/page.ts';
import type { FieldValue } from '#domain/topology/fields.ts';
import type { InfrastructureCiRow, InfrastructureLinkRow } from '#domain/topology/infrastructure-rows.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import type { CiFilter } from './topology-queries.ts';

/** A plain attribute or custom field. */
export type PlaceField = Pick<FieldValue, 'bag' | 'name'>;
/** Groups CIs: by type, by a field, or each by its id. */
export type PlaceKey = 'type' | 'ci' | PlaceField;

/** CIs that have the same values. */
export interface CiPlace {
  /** Values in the order of the keys, the first in alphabetical order of several; null: the CIs have none. */
  readonly values: readonly (string | null)[];
  readonly cis: number;
  /** Those with a rank, and the highest of their ranks; 0: none. */
  readonly ranked: number;
  readonly highest: number;
}
export const MAX_PLACES = 5_000;

export interface PlacesQuery {
  readonly filter: CiFilter;
  readonly by: readonly PlaceKey[];
  /** Ranks above 0 by CI, at most 50,000. */
  readonly ranks: ReadonlyMap<string, number>;
}

/** A field with the number of its values. */
export interface FieldInUse extends PlaceField {
  readonly values: number;
  /** Values of all CIs. */
  readonly count: number;
}
export const MAX_FIELDS_IN_USE = 200;
export const MAX_LINKS_AMONG = 1_000;

/**
 * Reads an infrastructure as a whole. `cis` and `links`: from end to end, the oldest first, in parts that block no other
 * request; they accept the `nextCursor` of the part before.
 */
export interface InfrastructureQueries {
  cis(tenant: string, cursor?: string): Promise<Part<InfrastructureCiRow>>;
  /** Returns links without AI proposals that are not accepted. */
  links(tenant: string, cursor?: string): Promise<Part<InfrastructureLinkRow>>;
  /** Returns those with the highest rank first, then those with most CIs; at most `MAX_PLACES`. */
  places(tenant: string, query: PlacesQuery): Promise<readonly CiPlace[]>;
  /** Those with most values first, ties by name; at most `MAX_FIELDS_IN_USE`. */
  fields(tenant: string): Promise<readonly FieldInUse[]>;
  /** Relationships with both ends among these CIs, the oldest first, at most `MAX_LINKS_AMONG`; without AI proposals that are not accepted. */
  linksAmong(tenant: string, ciIds: readonly string[]): Promise<readonly Relationship[]>;
}
