import type { ResolvedSettings } from './records.ts';
import { type CorrelationSettings, STRATEGY_NAMES, settingsWith } from './settings.ts';

const MINUTE = 60_000;

/** The longest that `auto` picks, ms. */
export const MOST_AUTO_WINDOW_MS = 30 * MINUTE;

/** The temporal window for a tenant with so many new events in 24 h (docs/specification.md §5), ms. */
export function autoWindowMs(dayCount: number): number {
  if (dayCount < 1_000) return MOST_AUTO_WINDOW_MS;
  return dayCount <= 10_000 ? 15 * MINUTE : 10 * MINUTE;
}

const withWindow = (settings: CorrelationSettings, windowMs: number): ResolvedSettings => ({
  ...settings,
  strategies: { ...settings.strategies, temporal: { ...settings.strategies.temporal, windowMs } },
});

/** Settings as they were stored, perhaps by a program that knew fewer strategies: those that it did not know are as by default. */
export const completed = (stored: ResolvedSettings): ResolvedSettings =>
  STRATEGY_NAMES.every((name) => name in stored.strategies) && 'maxBehindMs' in stored
    ? stored
    : (settingsWith(stored) as ResolvedSettings);

/** Settings with `auto` resolved; equal ones are one object, so that records share them. */
export type Resolve = (settings: CorrelationSettings, dayCount: () => number) => ResolvedSettings;

export const makeResolver = (): Resolve => {
  const known = new WeakMap<CorrelationSettings, Map<number, ResolvedSettings>>();
  return (settings, dayCount) => {
    const { windowMs } = settings.strategies.temporal;
    const wanted = windowMs === 'auto' ? autoWindowMs(dayCount()) : windowMs;
    const byWindow = known.get(settings) ?? new Map<number, ResolvedSettings>();
    const resolved = byWindow.get(wanted) ?? withWindow(settings, wanted);
    known.set(settings, byWindow.set(wanted, resolved));
    return resolved;
  };
};
