/** A CI at a distance. `via` is the CI before it on a shortest path. */
export interface NearCi {
  readonly ci: string;
  readonly hops: number;
  readonly via: string | null;
}

/** A CI within 3 hops over relationships of any type and direction. */
export interface Neighbour extends NearCi {
  /** Length of the shortest path over critical edges alone; 0 when there is none within 3. */
  readonly criticalHops: number;
}

/** A CI that another one is a part of, as its host or its service. */
export interface WholeCi {
  readonly ci: string;
  /** The number of its parts. */
  readonly parts: number;
}

export const NO_WHOLES: readonly WholeCi[] = [];

/** The topology around an arrival's CI as of the event's time. */
export interface Surroundings {
  /** ≤ 3 hops, any type and direction, the nearest 256. */
  readonly near: readonly Neighbour[];
  readonly truncated: boolean;
  /** Neighbors at one hop, at most two, at most three; and all CIs of the tenant. */
  readonly degree: number;
  readonly reach2: number;
  readonly reach3: number;
  readonly all: number;
  /** ≤ 6 hops upstream over cause types (dependency types, powered_by, located_in), ≤ 200, nearest first. */
  readonly upstream: readonly NearCi[];
  /** ≤ 8 by id; absent: none. */
  readonly wholes?: readonly WholeCi[];
}

/** The topology that enrich writes into the record of an arrival on this CI. */
export interface ArrivalTopology extends Surroundings {
  readonly hasRelationships: boolean;
  /** CIs at most 3 hops upstream and downstream of this CI over dependency types. */
  readonly above3: number;
  readonly below3: number;
  /** CIs at most 3 hops upstream over dependency types, nearest first. */
  readonly chain: readonly NearCi[];
}
