import { KNOWN_PATTERNS } from '#domain/event/identity/known-patterns.ts';
/** What a tenant can set about correlation. Durations in ms. Source of the defaults: docs/specification.md §5, §7 and §8, and `docs/decisions`. */

export const STRATEGY_NAMES = ['dependency', 'temporal', 'topology', 'pattern', 'service'] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];
/** In this order: decisions name one by its place. */
export const PROFILES = ['calibrated', 'specified'] as const;
export type Profile = (typeof PROFILES)[number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The longest that `auto` picks. */
const MOST_AUTO_WINDOW_MS = 30 * MINUTE;

/** The longest that a tenant can set, ms: memory reaches back as far as both together. */
export const MOST_WINDOW_MS = HOUR;
export const MOST_LATENESS_MS = HOUR;

export interface CorrelationSettings {
  readonly profile: Profile;
  /** A pair joins when its final score is strictly greater. */
  readonly threshold: number;
  readonly strategies: {
    readonly dependency: { readonly enabled: boolean; readonly windowMs: number };
    /** `auto` picks 30, 15 or 10 minutes by the new events of the last 24 h. */
    readonly temporal: { readonly enabled: boolean; readonly windowMs: number | 'auto' };
    readonly topology: { readonly enabled: boolean; readonly windowMs: number; readonly hops: 1 | 2 | 3 };
    readonly pattern: { readonly enabled: boolean; readonly windowMs: number };
    readonly service: { readonly enabled: boolean; readonly windowMs: number };
  };
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

export const DEFAULT_SETTINGS: CorrelationSettings = {
  profile: 'calibrated',
  threshold: 0.7,
  strategies: {
    dependency: { enabled: true, windowMs: 15 * MINUTE },
    temporal: { enabled: true, windowMs: 'auto' },
    topology: { enabled: true, windowMs: 10 * MINUTE, hops: 2 },
    pattern: { enabled: true, windowMs: HOUR },
    service: { enabled: true, windowMs: 15 * MINUTE },
  },
  candidates: { perKey: 20, perCi: 3, structure: 60 },
  guards: { maxSpanMs: 4 * HOUR, maxSize: 1_000, temporalReach: true },
  latenessMs: HOUR,
  dedupScope: 'system',
  dedupWindowMs: HOUR,
  plainEscalation: 'new_event',
  maxBehindMs: 7 * 24 * HOUR,
  rootCause: { coverage: 1, earliness: 0.3, severity: 0.1, knownPattern: 0.5, knownPatterns: KNOWN_PATTERNS },
  heartbeats: [],
};

/** What a tenant has changed: any subset of the settings, at any depth. */
export type SettingsOverrides = {
  readonly [K in keyof CorrelationSettings]?: CorrelationSettings[K] extends readonly unknown[]
    ? CorrelationSettings[K]
    : CorrelationSettings[K] extends object
      ? DeepPartial<CorrelationSettings[K]>
      : CorrelationSettings[K];
};
type DeepPartial<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? DeepPartial<T[K]> : T[K];
};

/** The longest window of any strategy, whether it is switched on or not, ms; `auto` at its longest. */
export const longestWindowMs = ({ strategies }: CorrelationSettings): number =>
  STRATEGY_NAMES.reduce((longest, name) => {
    const { windowMs } = strategies[name];
    return Math.max(longest, windowMs === 'auto' ? MOST_AUTO_WINDOW_MS : windowMs);
  }, 0);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const overlay = (base: unknown, over: unknown): unknown =>
  isRecord(base) && isRecord(over)
    ? Object.fromEntries(Object.keys(base).map((key) => [key, key in over ? overlay(base[key], over[key]) : base[key]]))
    : (over ?? base);

/** The tenant's settings: the defaults with what it changed. */
export const settingsWith = (overrides: SettingsOverrides | null): CorrelationSettings =>
  overrides === null ? DEFAULT_SETTINGS : (overlay(DEFAULT_SETTINGS, overrides) as CorrelationSettings);
