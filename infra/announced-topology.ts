import type { CiStore } from '#domain/ports/topology/ci-store.ts';
import type { RelationshipStore } from '#domain/ports/topology/relationship-store.ts';
import type { TopologyChange } from '#domain/topology/change.ts';

export type AnnouncedChange = Omit<TopologyChange, 'version'>;
export type Tell = (change: AnnouncedChange) => void;

/** The first revision of what is not there is 1, and nothing else has it. */
const byKind = (put: readonly { readonly id: string; readonly revision: number }[]) =>
  [
    ['created', put.filter(({ revision }) => revision === 1).map(({ id }) => id)],
    ['updated', put.filter(({ revision }) => revision > 1).map(({ id }) => id)],
  ] as const;

/** Tells of every change of CIs that is made. A sighting is no change: caches hold none. */
export const announcedCis = (cis: CiStore, tell: Tell): CiStore => ({
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

/** Tells of every change of relationships that is made. */
export const announcedRelationships = (relationships: RelationshipStore, tell: Tell): RelationshipStore => ({
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
