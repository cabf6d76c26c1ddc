/** What goes along with a change, for stores that cannot keep both as one: it is put right after the change. */
import type { Along, RecordStore } from '#domain/ports/record-store.ts';
import type { TopologyStore } from '#domain/ports/topology-store.ts';

const keep = async (records: RecordStore, along: readonly Along[] = []): Promise<void> => {
  await Promise.all(
    along.map(({ tenant, kind, id, body, expiresAt }) =>
      records.put(tenant, kind, id, body, expiresAt === undefined ? {} : { expiresAt }),
    ),
  );
};

/** A process that dies in between has made the change and not kept what goes along. */
export const recordsAlong = (records: RecordStore): RecordStore => ({
  ...records,
  async put(tenant, kind, id, body, { along, ...options } = {}) {
    const revision = await records.put(tenant, kind, id, body, options);
    await keep(records, along);
    return revision;
  },
  async remove(tenant, kind, id, along) {
    const removed = await records.remove(tenant, kind, id);
    if (removed) await keep(records, along);
    return removed;
  },
});

/** As `recordsAlong`. */
export const topologyAlong = (topology: TopologyStore, records: RecordStore): TopologyStore => ({
  ...topology,
  async putCis(tenant, cis, along) {
    await topology.putCis(tenant, cis);
    await keep(records, along);
  },
  async putRelationships(tenant, relationships, along) {
    await topology.putRelationships(tenant, relationships);
    await keep(records, along);
  },
  async removeCi(tenant, id, at, { along, ...how } = {}) {
    const removed = await topology.removeCi(tenant, id, at, how);
    if (removed !== null) await keep(records, along?.(removed));
    return removed;
  },
  async mergeCis(tenant, { along, ...merge }) {
    const merged = await topology.mergeCis(tenant, merge);
    if (merged !== null) await keep(records, along?.(merged));
    return merged;
  },
  async removeRelationship(tenant, id, at, { along, ...how } = {}) {
    const removed = await topology.removeRelationship(tenant, id, at, how);
    if (removed !== null) await keep(records, along?.(removed));
    return removed;
  },
});
