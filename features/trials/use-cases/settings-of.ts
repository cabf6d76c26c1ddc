import type { SettingsOf } from '#domain/correlation/on-demand/replay.ts';
import {
  type AutoStrategy,
  makeResolver,
  type SettingsOverrides,
  settingsWith,
} from '#domain/correlation/settings/tenant-settings.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
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
  const before = settingsWith(overrides as SettingsOverrides).strategies;
  const rates = openTenantRates();
  const resolve = makeResolver();
  return (record) => {
    const { arrival, settings: stored } = record;
    const windowMs = ({ name, auto }: AutoStrategy): number =>
      (before[name]?.windowMs === 'auto' && stored.strategies[name]?.windowMs) ||
      auto.windowMs(dayCount(rates, arrival.time));
    const resolved = resolve(settings, windowMs);
    if (!arrival.rebound) count(rates, arrival);
    return resolved;
  };
};
