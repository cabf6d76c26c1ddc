/** Number of CIs, or relationships, of a type. */
export interface TypeInUse {
  readonly type: string;
  readonly count: number;
}
export interface TypesInUse {
  readonly cis: readonly TypeInUse[];
  readonly relationships: readonly TypeInUse[];
}
export const MAX_TYPES = 1_000;

/** Counts the CIs and relationships that there are now. */
export interface TopologyCounts {
  cis(tenant: string): Promise<number>;
  /** Relationships per CI, both directions counted. */
  relationships(tenant: string, ciIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Types in use, the most used first; at most `MAX_TYPES` of each kind. */
  types(tenant: string): Promise<TypesInUse>;
}
