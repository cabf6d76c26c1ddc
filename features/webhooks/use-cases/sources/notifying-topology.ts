import type { Ports } from '#domain/ports/ports.ts';
import type { CiStore } from '#domain/ports/topology/ci-store.ts';
import type { RelationshipStore } from '#domain/ports/topology/relationship-store.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { TopologyQueries } from '#domain/ports/topology/topology-queries.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { type Ci, isProposed, type Relationship } from '#domain/topology/topology.ts';
import { subscribes } from '#features/webhooks/rules/filter.ts';
import type { Outgoing, WebhookKind } from '#features/webhooks/rules/webhook.ts';
import { DELIVER } from '#features/webhooks/use-cases/delivery/records.ts';
import { KNOWN_WEBHOOKS } from '#features/webhooks/use-cases/known-webhooks.ts';
import { v1CiDetail } from '#schemas/http/cmdb/cmdb.ts';
import { outgoingRecord } from './outgoing-records.ts';

type NotifierPorts = Pick<Ports, 'ids' | 'clock' | 'memory' | 'background'>;

const putCi = ({ id, name, revision, updatedAt }: Ci): Outgoing => ({
  kind: revision === 1 ? 'ci.created' : 'ci.updated',
  resource: { kind: 'ci', id, name },
  sequence: revision,
  at: updatedAt,
});

const removedCi = (ci: Ci, at: number): Outgoing => ({
  kind: 'ci.deleted',
  resource: { kind: 'ci', id: ci.id, name: ci.name },
  sequence: ci.revision + 1,
  at,
  data: { ci: v1CiDetail(ci, [], undefined) },
});

const madeRelationship = ({ id, revision, createdAt, updatedAt }: Relationship): Outgoing => ({
  kind: 'relationship.created',
  resource: { kind: 'relationship', id },
  sequence: revision,
  at: revision === 1 ? createdAt : updatedAt,
});

/** Records for the tenant's webhooks; none when they subscribe to nothing. */
interface Teller {
  wants(kind: WebhookKind): boolean;
  tell(told: readonly Outgoing[]): readonly SideRecord[];
}

/**
 * Reads the webhooks before the change. While they cannot be read, everything is published: the receivers are
 * determined later.
 */
const tellerFor = async (telling: NotifierPorts, tenant: string): Promise<Teller> => {
  const { memory, clock } = telling;
  const webhooks = await memory
    .of(KNOWN_WEBHOOKS)
    .of(tenant, clock.now())
    .catch(() => null);
  const active = webhooks?.filter((webhook) => webhook.active);
  const wants = (kind: WebhookKind): boolean => active?.some((webhook) => subscribes(webhook, kind)) ?? true;
  const tell: Teller['tell'] = (told) => {
    const wanted = told.filter(({ kind }) => wants(kind as WebhookKind));
    return wanted.length === 0 ? [] : [outgoingRecord(telling, tenant, wanted)];
  };
  return { wants, tell };
};

const notifyingCis = (cis: CiStore, telling: NotifierPorts): CiStore => ({
  async put(tenant, put, sideRecords = []) {
    const { tell } = await tellerFor(telling, tenant);
    const told = tell(put.map(putCi));
    await cis.put(tenant, put, [...sideRecords, ...told]);
    if (told.length > 0) telling.background.ring(DELIVER);
  },
  async remove(tenant, id, at, how = {}) {
    const { tell } = await tellerFor(telling, tenant);
    const removed = await cis.remove(tenant, id, at, {
      ...how,
      sideRecords: (gone) => [...(how.sideRecords?.(gone) ?? []), ...tell([removedCi(gone.ci, at)])],
    });
    if (removed !== null) telling.background.ring(DELIVER);
    return removed;
  },
  async merge(tenant, merge) {
    const { tell } = await tellerFor(telling, tenant);
    const merged = await cis.merge(tenant, {
      ...merge,
      sideRecords: (done) => [
        ...(merge.sideRecords?.(done) ?? []),
        ...tell([putCi(merge.into), removedCi(done.from, merge.at)]),
      ],
    });
    if (merged !== null) telling.background.ring(DELIVER);
    return merged;
  },
  seen: cis.seen,
});

/**
 * Returns relationships that were proposals until now. Imports find theirs by ends and type; one whose type changes,
 * too, is found by its id.
 */
async function acceptedNow(
  topology: TopologyQueries,
  tenant: string,
  put: readonly Relationship[],
): Promise<readonly Relationship[]> {
  const changed = put.filter((one) => one.revision > 1 && !isProposed(one));
  if (changed.length === 0) return [];
  const between = await topology.relationshipsBetween(tenant, changed);
  const before = await Promise.all(changed.map(({ id }, i) => between[i] ?? topology.getRelationship(tenant, id)));
  return changed.filter((_, i) => before[i] && isProposed(before[i]));
}

const notifyingRelationships = (
  { relationships, topology }: Pick<TopologyPorts, 'relationships' | 'topology'>,
  telling: NotifierPorts,
): RelationshipStore => ({
  async put(tenant, put, sideRecords = []) {
    const { wants, tell } = await tellerFor(telling, tenant);
    const made = put.filter((one) => one.revision === 1 && !isProposed(one));
    const accepted = wants('relationship.created') ? await acceptedNow(topology, tenant, put) : [];
    const told = tell([...made, ...accepted].map(madeRelationship));
    await relationships.put(tenant, put, [...sideRecords, ...told]);
    if (told.length > 0) telling.background.ring(DELIVER);
  },
  remove: relationships.remove,
});

/**
 * Stores the notifications about CIs and relationships with every change, from any origin: requests, imports, scans,
 * merges.
 */
export const notifyingTopology = (
  { cis, ...ports }: Pick<TopologyPorts, 'cis' | 'relationships' | 'topology'>,
  telling: NotifierPorts,
): Pick<TopologyPorts, 'cis' | 'relationships'> => ({
  cis: notifyingCis(cis, telling),
  relationships: notifyingRelationships(ports, telling),
});
