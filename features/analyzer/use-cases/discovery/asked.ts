/** The search, in the words of a caller. */
export interface DiscoverAsked {
  /** Names. */
  readonly processes: readonly string[];
  readonly software: readonly string[];
  readonly ports: readonly number[];
  /** Patterns of host names. */
  readonly hosts: readonly string[];
  /** Sightings count that were made last within it, ms. */
  readonly timeRange: { readonly from: number; readonly to: number } | null;
  /** Servers that belong to it for sure. */
  readonly seeds: readonly string[];
  /** True to include connections to CIs that were not found. */
  readonly includeAll: boolean;
}
