import { DAY_MS, dayOf, startOfDay, totalOf, type UsageGroupBy, type UsageRow } from '#features/ai/rules/usage.ts';
import { monitorUsage } from '#features/ai/use-cases/monitor-usage.ts';
import { usageDays } from '#features/ai/use-cases/usage/read-usage.ts';
import type { AiUsageRead, UsageSum } from '#features/reports/rules/templates/ai-usage.ts';
import { rowName } from '#features/reports/rules/templates/said.ts';
import { MOST_DETAILS } from '#features/reports/rules/templates/template.ts';
import { goOn, type ReportReading } from './reading.ts';

/** Days that are asked for at a time: `monitorUsage` takes no more. */
const MOST_DAYS = 399;

const sumOf = (label: string, { calls, failed, input, output, cost, priced, latencyMs }: UsageRow): UsageSum => ({
  label,
  calls,
  failed,
  input,
  output,
  cost,
  priced,
  latencyMs,
});

export async function readAiUsage(reading: ReportReading): Promise<AiUsageRead> {
  const { asking, chosen } = reading;
  const { ports, tenant } = asking;
  const last = dayOf(chosen.range.to - 1);
  const first = Math.max(startOfDay(dayOf(chosen.range.from)), startOfDay(last) - MOST_DAYS * DAY_MS);
  const groupBy = (chosen.grouping ?? 'service') as UsageGroupBy;
  const usage = await monitorUsage(ports, tenant, { startDate: dayOf(first), endDate: last, groupBy });
  goOn(reading);
  const stored = await usageDays(ports, tenant, { from: dayOf(first), to: last });
  const byDay = new Map(stored.map((day) => [day.day, totalOf([day])]));
  const days: AiUsageRead['days'][number][] = [];
  for (let at = first; at <= startOfDay(last); at += DAY_MS) {
    const sum = byDay.get(dayOf(at));
    days.push({ at, calls: sum?.calls ?? 0, failed: sum?.failed ?? 0, cost: sum?.cost ?? 0 });
  }
  const groups = usage.groups.map(({ of, sum }) => sumOf(rowName(of ?? 'none', groupBy), sum));
  const rows = [...stored].reverse().flatMap(({ day, rows: all }) =>
    all.map((row) => ({
      ...sumOf('', row),
      day: startOfDay(day),
      service: row.service,
      model: row.model,
      department: row.department,
    })),
  );
  return {
    total: usage.total && sumOf('all', usage.total),
    days,
    rulesAnswers: usage.rulesAnswers,
    budget: usage.budget,
    groups: groupBy === 'day' ? groups : groups.sort((a, b) => b.calls - a.calls),
    rows: rows.slice(0, MOST_DETAILS),
  };
}
