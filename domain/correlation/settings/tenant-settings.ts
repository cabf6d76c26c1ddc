import { assertDefined } from '#domain/assert.ts';
import type { ResolvedSettings, ResolvedStrategySettings } from '#domain/correlation/records.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import { STRATEGY_NAMES, strategies } from '#domain/correlation/strategies/strategies.ts';
import type { AutoWindow, Strategy } from '#domain/correlation/strategy.ts';
import { KNOWN_PATTERNS } from '#domain/event/identity/known-patterns.ts';
import { isRecord } from '#domain/record-of.ts';

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
  showEffectsAs: 'inhibited',
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

const overlay = (base: unknown, over: unknown): unknown =>
  isRecord(base) && isRecord(over)
    ? Object.fromEntries(Object.keys(base).map((key) => [key, key in over ? overlay(base[key], over[key]) : base[key]]))
    : (over ?? base);

/** Returns the tenant's settings: the defaults with its overrides. */
export const settingsWith = (overrides: SettingsOverrides | null): CorrelationSettings =>
  overrides === null ? DEFAULT_SETTINGS : (overlay(DEFAULT_SETTINGS, overrides) as CorrelationSettings);

/** A strategy whose window the tenant leaves to us. */
export interface AutoStrategy {
  readonly name: string;
  readonly auto: AutoWindow;
}

const autoStrategies = ({ strategies: set }: CorrelationSettings): AutoStrategy[] =>
  strategies.flatMap(({ name, auto }) =>
    auto !== undefined && set[name]?.windowMs === 'auto' ? [{ name, auto }] : [],
  );

const withWindows = (
  settings: CorrelationSettings,
  autos: readonly AutoStrategy[],
  windows: readonly number[],
): ResolvedSettings => {
  const resolved: Record<string, ResolvedStrategySettings> = { ...(settings as ResolvedSettings).strategies };
  for (const [place, { name }] of autos.entries())
    resolved[name] = { ...settings.strategies[name], windowMs: windows[place] } as ResolvedStrategySettings;
  return { ...settings, strategies: resolved };
};

/** Completes stored settings, perhaps of a program version with fewer strategies: unknown ones have the defaults. */
export const completed = (stored: ResolvedSettings): ResolvedSettings =>
  STRATEGY_NAMES.every((name) => name in stored.strategies) && 'showEffectsAs' in stored
    ? stored
    : (settingsWith(stored) as ResolvedSettings);

/** Settings with `auto` resolved, by `windowMs` for each such strategy; equal ones are one object, so that records share them. */
export type Resolve = (settings: CorrelationSettings, windowMs: (strategy: AutoStrategy) => number) => ResolvedSettings;

export const makeResolver = (): Resolve => {
  const known = new WeakMap<CorrelationSettings, readonly AutoStrategy[]>();
  const resolved = new WeakMap<CorrelationSettings, Map<string, ResolvedSettings>>();
  return (settings, windowMs) => {
    const autos = known.get(settings) ?? autoStrategies(settings);
    known.set(settings, autos);
    if (autos.length === 0) return settings as ResolvedSettings;
    const windows = autos.map(windowMs);
    const key = windows.join(' ');
    const byWindows = resolved.get(settings) ?? new Map<string, ResolvedSettings>();
    const found = byWindows.get(key) ?? withWindows(settings, autos, windows);
    resolved.set(settings, byWindows.set(key, found));
    return found;
  };
};

/** The settings of one strategy. */
export const ownSettings = ({ name }: Strategy, { strategies }: ResolvedSettings): ResolvedStrategySettings =>
  assertDefined(strategies[name], name);
