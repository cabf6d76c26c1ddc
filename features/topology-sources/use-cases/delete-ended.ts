import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { lastItem } from '#domain/assert.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SOURCE_RECORDS } from '#features/topology-sources/rules/record-kinds.ts';
import { isOfSources } from './said/plan-cis.ts';

const CHUNK = 500;

interface EndedCi {
  readonly ci: string;
  /** ms. */
  readonly at: number;
}

async function deleteOfTenant(ports: Ports, tenant: string, before: number, isStopping: () => boolean): Promise<void> {
  const { records } = ports;
  for (;;) {
    const found = await records.list<EndedCi>(tenant, SOURCE_RECORDS.ended, { limit: CHUNK });
    const due = found.filter(({ body }) => body.at < before);
    const ids = due.map(({ body }) => body.ci);
    const cis = new Map((await ports.topology.getCis(tenant, ids)).map((ci) => [ci.id, ci]));
    for (const { id, body } of due) {
      if (isStopping()) return;
      const ci = cis.get(body.ci);
      if (ci !== undefined && ci.status === 'inactive' && ci.updatedAt === body.at && isOfSources(ci))
        await ports.cis.remove(tenant, ci.id, ports.clock.now(), {
          revision: ci.revision,
          by: ci.updatedBy,
          cascade: true,
        });
      await records.remove(tenant, SOURCE_RECORDS.ended, id);
    }
    if (found.length < CHUNK || lastItem(found).body.at >= before) return;
  }
}

/** Deletes CIs that sources ended before this time (ms), unless they have changed since. */
export const deleteEnded = (ports: Ports, before: number, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `Couldn't delete ended CIs of ${count} tenants`;
  return eachActiveTenant(ports.records, { isStopping, failed }, (tenant) =>
    deleteOfTenant(ports, tenant, before, isStopping),
  );
};
