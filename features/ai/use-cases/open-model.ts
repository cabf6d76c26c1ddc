import { aiSettings } from '#application/records/tenant-settings.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import { breaking } from './model/breaking.ts';
import { type BudgetedOptions, budgeted } from './model/budgeted.ts';
import { cached } from './model/cached.ts';
import { limited } from './model/limited.ts';
import { type MeteredOptions, metered } from './model/metered.ts';
import { type RetryingOptions, retrying } from './model/retrying.ts';

export type ModelOptions = Omit<BudgetedOptions, 'settingsOf'> & MeteredOptions & RetryingOptions;

/** A provider that makes one request at a time, made fit for use; it keeps what all requests of the process share. */
export const openModel = (provider: ModelProvider, options: ModelOptions): ModelProvider => {
  const settingsOf = (tenant: string) => aiSettings(options.records, tenant);
  const patient = retrying(metered(provider, options), options);
  return cached(budgeted(breaking(limited(patient, options), options), { ...options, settingsOf }), options);
};
