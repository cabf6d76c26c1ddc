/** Moves other records from a CI that was merged to the CI that stays. Every step can be repeated. */
import { type Asker, auditedAs } from '#application/access/audit.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { searchDue } from '#application/records/search-due.ts';
import { everyService, findService, putService } from '#application/services/service-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Component, Service } from '#domain/services/service.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { NO_NETWORK, unitedNetwork } from '#features/discovery/rules/network.ts';
import { serviceFacts } from '#schemas/http/service-facts.ts';
import { CI_RECORDS_KEPT_MS, DISCOVERY_KINDS, type NetworkRecord } from './records.ts';

/** Two CIs that have become one. */
export interface MergeRecord {
  readonly tenant: string;
  readonly from: string;
  readonly into: string;
  /** ms. */
  readonly at: number;
  /** Caller for the audit of the next steps. */
  readonly asker: Asker;
}

/** Record stored with the merge: the background completes it after a crash. */
export const mergeQueued = ({ ids }: Pick<Ports, 'ids'>, record: MergeRecord): SideRecord => ({
  tenant: SYSTEM_TENANT,
  kind: DISCOVERY_KINDS.merge,
  id: ids.ulid(),
  body: record,
});

/** A service with both CIs retains the remaining one, in its own role. */
const renamed = (components: readonly Component[], { from, into }: MergeRecord): Component[] =>
  components.some(({ ciId }) => ciId === into)
    ? components.filter(({ ciId }) => ciId !== from)
    : components.map((one) => (one.ciId === from ? { ...one, ciId: into } : one));

const moveComponent = (ports: Ports, merge: MergeRecord, id: string): Promise<void> => {
  const { tenant, from, asker } = merge;
  return inTurn(ports, { of: ['service', tenant, id], ifMatch: null }, async () => {
    const { body: before, revision: expected } = await findService(ports.records, tenant, id);
    if (!before.components.some(({ ciId }) => ciId === from)) return;
    const after: Service = {
      ...before,
      components: renamed(before.components, merge),
      ...(before.earlier && {
        earlier: before.earlier.map((one) => ({ ...one, components: renamed(one.components, merge) })),
      }),
      updatedAt: ports.clock.now(),
    };
    const seen = { before: serviceFacts(before), after: serviceFacts(after) };
    const entry = auditedAs(ports, tenant, asker, {
      action: 'service.updated',
      target: { kind: 'service', id },
      ...seen,
    });
    await putService(ports, tenant, { before, after, expected, sideRecords: [entry] });
  });
};

async function moveNetwork({ records, clock, ids }: Ports, { tenant, from, into }: MergeRecord): Promise<void> {
  const kind = DISCOVERY_KINDS.network;
  const other = await records.get<NetworkRecord>(tenant, kind, from);
  if (other === null) return;
  const own = (await records.get<NetworkRecord>(tenant, kind, into))?.body ?? NO_NETWORK;
  const expiresAt = clock.now() + CI_RECORDS_KEPT_MS;
  await records.put<NetworkRecord>(tenant, kind, into, unitedNetwork(own, other.body), {
    expiresAt,
    sideRecords: [searchDue({ ids }, tenant, [{ kind: 'ci', id: into }])],
  });
  await records.remove(tenant, kind, from);
}

/** Components of services, and what scanners saw; events follow in the background. */
export async function finishMerge(ports: Ports, merge: MergeRecord): Promise<void> {
  const { tenant, from } = merge;
  for (const { id, components } of await everyService(ports.records, tenant))
    if (components.some(({ ciId }) => ciId === from)) await moveComponent(ports, merge, id);
  await moveNetwork(ports, merge);
  await ports.records.remove(tenant, DISCOVERY_KINDS.provenance, from);
}
