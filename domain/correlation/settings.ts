/** Types of the correlation settings of a tenant. Durations in ms; `settings/tenant-settings.ts` has the values. */

/** Order matters: decisions refer to one by its index. */
export const PROFILES = ['calibrated', 'specified'] as const;
export type Profile = (typeof PROFILES)[number];

const HOUR = 3_600_000;

/** The longest that a tenant can set, ms: memory reaches back as far as both together. */
export const MAX_WINDOW_MS = HOUR;
export const MAX_LATENESS_MS = HOUR;

/** Settings of every strategy; some have settings of their own beside these. */
export interface StrategySettings {
  readonly enabled: boolean;
  /** `auto`: by the new events of the last 24 h, for strategies that define it. */
  readonly windowMs: number | 'auto';
}

export interface CorrelationSettings {
  readonly profile: Profile;
  /** A pair joins when its final score is strictly greater. */
  readonly threshold: number;
  /** Settings by name of the strategy. */
  readonly strategies: Readonly<Record<string, StrategySettings>>;
  /** Nearest candidates in time compared per key. */
  readonly candidates: { readonly perKey: number; readonly perCi: number; readonly structure: number };
  readonly guards: { readonly maxSpanMs: number; readonly maxSize: number; readonly temporalReach: boolean };
  readonly latenessMs: number;
  readonly dedupScope: 'system' | 'signature';
  readonly dedupWindowMs: number;
  /** Plain ingest: result of the same source and sourceId with another severity. */
  readonly plainEscalation: 'new_event' | 'same_event';
  /** Maximum distance behind the tenant's newest event for a plausible time, ms. */
  readonly maxBehindMs: number;
  readonly rootCause: {
    readonly coverage: number;
    readonly earliness: number;
    readonly severity: number;
    readonly knownPattern: number;
    readonly knownPatterns: readonly string[];
  };
  readonly heartbeats: readonly string[];
  /** Presentation of the effects of a probable root cause to clients of Alertmanager. */
  readonly showEffectsAs: 'inhibited' | 'active';
}
