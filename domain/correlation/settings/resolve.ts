import type { ResolvedSettings, ResolvedStrategySettings } from '#domain/correlation/records.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import { STRATEGY_NAMES, strategies } from '#domain/correlation/strategies/strategies.ts';
import type { AutoWindow } from '#domain/correlation/strategy.ts';
import { settingsWith } from './defaults.ts';

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

/** Settings as they were stored, perhaps by a program that knew fewer strategies: those that it did not know are as by default. */
export const completed = (stored: ResolvedSettings): ResolvedSettings =>
  STRATEGY_NAMES.every((name) => name in stored.strategies) && 'maxBehindMs' in stored
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
