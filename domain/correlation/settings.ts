/** Types of what a tenant can set about correlation. Durations in ms; `settings/tenant-settings.ts` has the values. */

/** In this order: decisions name one by its place. */
export const PROFILES = ['calibrated', 'specified'] as const;
export type Profile = (typeof PROFILES)[number];

const HOUR = 3_600_000;

/** The longest that a tenant can set, ms: memory reaches back as far as both together. */
export const MOST_WINDOW_MS = HOUR;
export const MOST_LATENESS_MS = HOUR;

/** Settings of every strategy; some have settings of their own beside these. */
export interface StrategySettings {
  readonly enabled: boolean;
  /** `auto`: by the new events of the last 24 h, for strategies that say how. */
  readonly windowMs: number | 'auto';
}

export interface CorrelationSettings {
  readonly profile: Profile;
  /** A pair joins when its final score is strictly greater. */
  readonly threshold: number;
  /** By name of the strategy. */
  readonly strategies: Readonly<Record<string, StrategySettings>>;
  /** Nearest candidates in time looked at per key. */
  readonly candidates: { readonly perKey: number; readonly perCi: number; readonly structure: number };
  readonly guards: { readonly maxSpanMs: number; readonly maxSize: number; readonly temporalReach: boolean };
  readonly latenessMs: number;
  readonly dedupScope: 'system' | 'signature';
  readonly dedupWindowMs: number;
  /** Plain ingest: what the same source and sourceId with another severity becomes. */
  readonly plainEscalation: 'new_event' | 'same_event';
  /** How far behind the tenant's newest event a time is still believed, ms. */
  readonly maxBehindMs: number;
  readonly rootCause: {
    readonly coverage: number;
    readonly earliness: number;
    readonly severity: number;
    readonly knownPattern: number;
    readonly knownPatterns: readonly string[];
  };
  readonly heartbeats: readonly string[];
}
