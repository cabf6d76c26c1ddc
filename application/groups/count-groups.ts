import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { GROUP_AGE_NAMES } from '#domain/correlation/grouping/group-ages.ts';
import { GROUP_STATUSES } from '#domain/correlation/grouping/group-state.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Measures how many groups of all tenants there are by status and age; of the resolved those of the last day. */
export const countGroups = async (
  { records, groupRows, clock, metrics }: Pick<Ports, 'records' | 'groupRows' | 'clock' | 'metrics'>,
  isStopping: () => boolean,
): Promise<void> => {
  const counts = new Map<string, number>();
  const failed = (count: number): string => `The groups of ${count} tenants could not be counted`;
  await eachActiveTenant(records, { isStopping, failed }, async (tenant) => {
    for (const { status, age, count } of await groupRows.countByAge(tenant, clock.now())) {
      const key = `${status} ${age}`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
  });
  if (isStopping()) return;
  for (const state of GROUP_STATUSES)
    for (const age of GROUP_AGE_NAMES)
      metrics.gauge('faultline_groups', { state, age }, counts.get(`${state} ${age}`) ?? 0);
};
