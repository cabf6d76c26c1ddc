import type { SettingsOf } from '#domain/correlation/on-demand/replay.ts';
import type { Enriched, ResolvedSettings } from '#domain/correlation/records.ts';
import { autoWindowMs } from '#domain/correlation/resolve-settings.ts';
import { type CorrelationSettings, type SettingsOverrides, settingsWith } from '#domain/correlation/settings.ts';
import { count, dayCount, openTenantRates } from '#domain/correlation/window/rates.ts';
import { mergeOverrides } from '#domain/merge-patch.ts';

type Overrides = Readonly<Record<string, unknown>>;

/** The settings of a tenant with a patch laid over them. */
export const patchedSettings = (overrides: Overrides, patch: Overrides): CorrelationSettings =>
  settingsWith(mergeOverrides(overrides, patch) as SettingsOverrides);

/**
 * The settings as enrich would have written them into each record. Where `auto` stays `auto`, the window is the one chosen then; where it
 * is new, it follows the new events that the trial saw in 24 h.
 */
export const settingsOfTrial = (overrides: Overrides, patch: Overrides): SettingsOf => {
  const settings = patchedSettings(overrides, patch);
  const wasAuto = settingsWith(overrides as SettingsOverrides).strategies.temporal.windowMs === 'auto';
  const rates = openTenantRates();
  const known = new Map<number, ResolvedSettings>();
  const windowOf = ({ arrival, settings: stored }: Enriched): number => {
    const { windowMs } = settings.strategies.temporal;
    if (windowMs !== 'auto') return windowMs;
    return wasAuto ? stored.strategies.temporal.windowMs : autoWindowMs(dayCount(rates, arrival.time));
  };
  return (record) => {
    const windowMs = windowOf(record);
    if (!record.arrival.rebound) count(rates, record.arrival);
    const resolved = known.get(windowMs) ?? {
      ...settings,
      strategies: { ...settings.strategies, temporal: { ...settings.strategies.temporal, windowMs } },
    };
    known.set(windowMs, resolved);
    return resolved;
  };
};
