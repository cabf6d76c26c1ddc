import { aiSettings } from '#application/records/tenant-settings.ts';
import { invalid } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import {
  DAY_MS,
  dayOf,
  groupedBy,
  startOfDay,
  totalOf,
  USAGE_KINDS,
  type UsageGroupBy,
  type UsageRow,
} from '#features/ai/rules/usage.ts';
import { storedDays, usageDays } from './usage/read-usage.ts';
import { unstoredAnswers } from './usage/rules-count.ts';

const MAX_DAYS = 400;
const DEFAULT_DAYS = 30;

export interface UsageQuery {
  /** `2026-11-20`, UTC, inclusive. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly groupBy: UsageGroupBy;
}

export interface MonitoredUsage {
  readonly groupBy: UsageGroupBy;
  readonly groups: readonly { readonly of: string | null; readonly sum: UsageRow }[];
  readonly total: UsageRow | null;
  readonly rulesAnswers: number;
  /** Tokens of today. */
  readonly budget: { readonly used: number; readonly limit: number };
}

interface UsageRange {
  readonly from: string;
  readonly to: string;
}

const rangeOf = ({ startDate, endDate }: UsageQuery, now: number): UsageRange => {
  const to = endDate ?? dayOf(now);
  const from = startDate ?? dayOf(startOfDay(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  if (from > to) throw invalid('startDate', 'must not be after endDate');
  if (startOfDay(to) - startOfDay(from) >= MAX_DAYS * DAY_MS)
    throw invalid('startDate', `expected at most ${MAX_DAYS} days`);
  return { from, to };
};

const rulesAnswers = async (ports: Ports, tenant: string, range: UsageRange): Promise<number> => {
  const stored = await storedDays<{ readonly answers: number }>(ports.records, tenant, USAGE_KINDS.rules, range);
  const today = dayOf(ports.clock.now());
  const fresh = today >= range.from && today <= range.to ? unstoredAnswers(ports, tenant, today) : 0;
  return [...stored.values()].reduce((sum, { answers }) => sum + answers, fresh);
};

/** Tokens that a tenant has used today. */
const usedToday = async (ports: Ports, tenant: string): Promise<number> => {
  const today = dayOf(ports.clock.now());
  const total = totalOf(await usageDays(ports, tenant, { from: today, to: today }));
  return total === null ? 0 : total.input + total.output;
};

/** Use of the model, by service, model, day or department. */
export const monitorUsage = async (ports: Ports, tenant: string, query: UsageQuery): Promise<MonitoredUsage> => {
  const range = rangeOf(query, ports.clock.now());
  const [days, answers, used, { dailyTokens }] = await Promise.all([
    usageDays(ports, tenant, range),
    rulesAnswers(ports, tenant, range),
    usedToday(ports, tenant),
    aiSettings(ports.records, tenant),
  ]);
  const { groupBy } = query;
  return {
    groupBy,
    groups: groupedBy(groupBy, days),
    total: totalOf(days),
    rulesAnswers: answers,
    budget: { used, limit: dailyTokens },
  };
};
