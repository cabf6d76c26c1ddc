import { number, plain } from '#console/text/counts.ts';
import type { AiUsageData } from './api.ts';

type Metric = AiUsageData['metrics'][number];

export const GROUPINGS = [
  { value: 'service', words: 'Feature' },
  { value: 'model', words: 'Model' },
  { value: 'day', words: 'Day' },
  { value: 'department', words: 'Department' },
] as const;
export type UsageGrouping = (typeof GROUPINGS)[number]['value'];

export const nameOf = (metric: Metric, by: UsageGrouping): string => {
  const name = metric[by];
  if (name === null) return '(none)';
  return by === 'service' ? plain(name) : name;
};

/** The first day of the month of a time, UTC, as budgets count it. */
export const monthOf = (now: number): string => `${new Date(now).toISOString().slice(0, 7)}-01`;

/** Returns `12.40`; without prices it is empty. */
export const costWords = (cost: number, priced: boolean): string =>
  priced
    ? cost.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: cost < 1 ? 4 : 2 })
    : 'no price set';

/** Returns the used share of a budget, 0 to 1; a budget of 0 is used up. */
export const spent = (used: number, limit: number): number => (limit <= 0 ? 1 : Math.min(1, used / limit));

export const ofLimit = (used: string, limit: number | null): string =>
  limit === null ? `${used} (no limit)` : `${used} of ${number(limit)}`;
