import { searchDue } from '#application/records/search-due.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { CiStore } from '#domain/ports/topology/ci-store.ts';

/** Records every changed CI for the index, from any writer: requests, imports, scans, merges. */
export const searchedCis = (cis: CiStore, minting: Pick<Ports, 'ids'>): CiStore => {
  const due = (tenant: string, ids: readonly string[]) =>
    searchDue(
      minting,
      tenant,
      ids.map((id) => ({ kind: 'ci', id })),
    );
  return {
    async put(tenant, put, sideRecords = []) {
      const word = put.length === 0 ? [] : [due(tenant, [...new Set(put.map(({ id }) => id))])];
      await cis.put(tenant, put, [...sideRecords, ...word]);
    },
    remove: (tenant, id, at, how = {}) =>
      cis.remove(tenant, id, at, {
        ...how,
        sideRecords: (gone) => [...(how.sideRecords?.(gone) ?? []), due(tenant, [id])],
      }),
    merge: (tenant, merge) =>
      cis.merge(tenant, {
        ...merge,
        sideRecords: (done) => [...(merge.sideRecords?.(done) ?? []), due(tenant, [merge.into.id, merge.from.id])],
      }),
    seen: cis.seen,
  };
};
