import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { KNOWN_PATTERNS } from '#domain/event/identity/known-patterns.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Sources: docs/specification.md §5, §7 and §8, and `docs/decisions`. */
export const DEFAULT_SETTINGS: CorrelationSettings = {
  profile: 'calibrated',
  threshold: 0.7,
  strategies: Object.fromEntries(strategies.map(({ name, defaults }) => [name, defaults])),
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

/** The changes of a tenant: any subset of the settings, at any depth. */
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
export const longestWindowMs = ({ strategies: set }: Pick<CorrelationSettings, 'strategies'>): number =>
  strategies.reduce((longest, { name, defaults, auto }) => {
    const { windowMs } = set[name] ?? defaults;
    return Math.max(longest, windowMs === 'auto' ? (auto?.mostMs ?? 0) : windowMs);
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
