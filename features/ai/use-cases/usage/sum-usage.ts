import { everyRecord } from '#application/records/list-records.ts';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { DAY_MS, dayOf, startOfDay, USAGE_KEPT_MS, USAGE_KINDS, type UsageDay } from '#features/ai/rules/usage.ts';
import { firstAttempt, sumDay } from './read-usage.ts';

type UsagePorts = Pick<Ports, 'records' | 'clock'>;
/** Attempts of a day are stored soon after it, by clocks that differ a little. */
const SETTLED_MS = 15 * 60_000;

/** Returns the start of the days that are not summed yet, ms. */
const unsummedFrom = async ({ records }: UsagePorts, tenant: string): Promise<number> => {
  const [last] = await records.list<UsageDay>(tenant, USAGE_KINDS.day, { limit: 1, descending: true });
  return last === undefined ? 0 : startOfDay(last.id) + DAY_MS;
};

const sumTenant = async (ports: UsagePorts, tenant: string, isStopping: () => boolean): Promise<void> => {
  const { records, clock } = ports;
  const open = dayOf(clock.now() - SETTLED_MS);
  for (let from = await unsummedFrom(ports, tenant); !isStopping(); ) {
    const first = await firstAttempt(records, tenant, from);
    if (first === null || dayOf(first.at) >= open) return;
    const sum = await sumDay(records, tenant, dayOf(first.at));
    await records.put(tenant, USAGE_KINDS.day, sum.day, sum, { expiresAt: startOfDay(sum.day) + USAGE_KEPT_MS });
    from = startOfDay(sum.day) + DAY_MS;
  }
};

/** Sums the days that are over, each once. */
export const sumUsage = async (ports: UsagePorts, isStopping: () => boolean): Promise<void> => {
  for (const { id } of await everyRecord<TenantRecord>(ports.records, SYSTEM_TENANT, ACCESS_KINDS.tenant))
    await sumTenant(ports, id, isStopping);
};
