import type { CiStore } from '#domain/ports/topology/ci-store.ts';
import type { RelationshipStore } from '#domain/ports/topology/relationship-store.ts';
import type { TopologyChange } from '#domain/topology/change.ts';

export type PublishedChange = Omit<TopologyChange, 'version'>;
export type PublishChange = (change: PublishedChange) => void;

/** The first revision of a new object is 1, and no existing one has it. */
const byKind = (put: readonly { readonly id: string; readonly revision: number }[]) =>
  [
    ['created', put.filter(({ revision }) => revision === 1).map(({ id }) => id)],
    ['updated', put.filter(({ revision }) => revision > 1).map(({ id }) => id)],
  ] as const;

/** Publishes every change of CIs. A sighting is no change: caches hold none. */
export const changePublishingCis = (cis: CiStore, tell: PublishChange): CiStore => ({
  async put(tenant, put, sideRecords) {
    await cis.put(tenant, put, sideRecords);
    for (const [kind, ids] of byKind(put)) tell({ tenant, of: 'ci', kind, ids });
  },
  async remove(tenant, id, at, how) {
    const removed = await cis.remove(tenant, id, at, how);
    const held = removed?.relationships.map((one) => one.id) ?? [];
    tell({ tenant, of: 'relationship', kind: 'removed', ids: held });
    if (removed !== null) tell({ tenant, of: 'ci', kind: 'removed', ids: [id] });
    return removed;
  },
  async merge(tenant, merge) {
    const merged = await cis.merge(tenant, merge);
    if (merged === null) return null;
    tell({ tenant, of: 'ci', kind: 'updated', ids: [merge.into.id] });
    tell({ tenant, of: 'ci', kind: 'removed', ids: [merge.from.id] });
    return merged;
  },
  seen: cis.seen,
});

/** Publishes every change of relationships. */
export const changePublishingRelationships = (
  relationships: RelationshipStore,
  tell: PublishChange,
): RelationshipStore => ({
  async put(tenant, put, sideRecords) {
    await relationships.put(tenant, put, sideRecords);
    for (const [kind, ids] of byKind(put)) tell({ tenant, of: 'relationship', kind, ids });
  },
  async remove(tenant, id, at, how) {
    const removed = await relationships.remove(tenant, id, at, how);
    if (removed !== null) tell({ tenant, of: 'relationship', kind: 'removed', ids: [id] });
    return removed;
  },
});
