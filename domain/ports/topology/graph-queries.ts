import type { ArrivalTopology } from '#domain/topology/near.ts';
import type { Direction, Impact, Neighbourhood } from '#domain/topology/topology.ts';

export interface NeighbourhoodOptions {
  readonly hops: number;
  readonly direction: Direction;
  readonly types?: readonly string[];
  readonly limit: number;
  readonly asOf?: number;
}
export interface ImpactOptions {
  readonly limit: number;
  /** Further CIs are left out; absent: all, up to 50 hops. */
  readonly hops?: number;
  /** Faults travel over relationships of these types alone; absent or empty: over all that they can. */
  readonly types?: readonly string[];
  readonly asOf?: number;
  readonly down?: readonly string[];
}
export interface PathOptions {
  readonly maxHops: number;
  readonly direction: Direction;
  readonly types?: readonly string[];
  readonly asOf?: number;
}

/** Walks over relationships; with `asOf` as they were at that time, ms. */
export interface GraphQueries {
  /** The topology around a CI as of an event's time; null when the CI is unknown. A first version reaches back for ever. */
  around(tenant: string, ciId: string, asOf: number): Promise<ArrivalTopology | null>;
  neighbourhood(tenant: string, ciId: string, options: NeighbourhoodOptions): Promise<Neighbourhood>;
  /** The impact of these CIs, the nearest `limit`; a fault when one of them does not exist. */
  impact(tenant: string, ciIds: readonly string[], options: ImpactOptions): Promise<Impact>;
  /**
   * Returns ids of the CIs of one of the shortest paths from one to the other, both of them too; null when there is no
   * path.
   */
  path(tenant: string, from: string, to: string, options: PathOptions): Promise<readonly string[] | null>;
}
