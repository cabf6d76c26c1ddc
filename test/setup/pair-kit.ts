import { assertDefined } from '#domain/assert.ts';
import type { Arrival, Enriched, Hit, Rates, ResolvedSettings } from '#domain/correlation/records.ts';
import { ownSettings } from '#domain/correlation/settings/tenant-settings.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import type { Strategy } from '#domain/correlation/strategy.ts';
import { arrivalOf, enrichedOf, SETTINGS } from './merge-kit.ts';

/** Pairs of records made manually for scoring. Times in ms. */

export const T = 1_763_629_200_000;
export const MINUTE = 60_000;
export const HALF_HOUR = 30 * MINUTE;

/** The default settings with a temporal window of 30 minutes. */
export const settingsOf = (profile: Profile = 'calibrated'): ResolvedSettings => ({
  ...SETTINGS,
  profile,
  strategies: { ...SETTINGS.strategies, temporal: { enabled: true, windowMs: HALF_HOUR } },
});

export const at = (eventId: string, gap: number, more: Partial<Arrival> = {}): Arrival =>
  arrivalOf({ eventId, time: T + gap, ...more });

type Given = Partial<Omit<Enriched, 'arrival'>> & { readonly arrival?: Partial<Arrival> };

/** Returns the arrival `a` at T, with differences from a quiet tenant and an event without CI. */
export const record = ({ arrival, ...more }: Given = {}): Enriched => ({
  ...enrichedOf(at('a', 0, { position: 2, ...arrival }), [], settingsOf()),
  ...more,
});

export const busy = (rates: Partial<Rates> = {}): Rates => ({
  quiet: false,
  tenant: 0,
  uncommon: rates.tenant ?? 0,
  rare: rates.tenant ?? 0,
  signature: 0,
  ci: 0,
  service: {},
  ...rates,
});

/** Result of `scoreOf` when the strategy finds no relation. */
export const NONE = -1;
/** Returns the hit of the strategy, with its part of the arrival's settings. */
export const hitOf = (strategy: Strategy, a: Enriched, b: Arrival): Omit<Hit, 'other'> | null =>
  strategy.score(a, b, ownSettings(strategy, a.settings));
/** The score that decides. */
export const scoreOf = (strategy: Strategy, a: Enriched, b: Arrival): number => hitOf(strategy, a, b)?.score ?? NONE;
export const found = (strategy: Strategy, a: Enriched, b: Arrival): Omit<Hit, 'other'> => {
  const hit = hitOf(strategy, a, b);
  if (hit === null) throw new Error(`${strategy.name} sees no relation`);
  return hit;
};
export const inputsOf = (strategy: Strategy, a: Enriched, b: Arrival): Readonly<Record<string, unknown>> =>
  strategy.inputs(a, b, ownSettings(strategy, a.settings));

/** The settings with some of one strategy's changed. */
export const strategySet = (settings: ResolvedSettings, name: string, change: object): ResolvedSettings => ({
  ...settings,
  strategies: { ...settings.strategies, [name]: { ...assertDefined(settings.strategies[name], name), ...change } },
});
