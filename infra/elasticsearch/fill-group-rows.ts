import type { GroupRows } from '#domain/ports/events/group-rows.ts';
import { slices } from '#domain/slices.ts';
import { not, term } from './cluster/query.ts';
import { scan } from './cluster/scan.ts';
import type { Store } from './cluster/store.ts';
import type { GroupDocument } from './documents/correlation-documents.ts';
import { readMany } from './documents/documents.ts';
import { type GroupRowDocument, groupRowPlace } from './documents/group-row-document.ts';

/** Groups brought into the lists in one call. */
const MOST = 1_000;
const AT_ONCE = 100;

/** Brings groups that an older program has left, and rows that it has made, up to date in the lists; once all are, each call does nothing. One of a process. */
export const groupRowFiller = (store: Store, rows: Pick<GroupRows, 'refresh'>): (() => Promise<void>) => {
  let isDone = false;
  return async () => {
    if (isDone) return;
    const { connection, names } = store;
    const asked = { query: not(term('group.status', 'merged')), sort: 'group.position' };
    const source = ['group.tenant', 'group.id'];
    let filled = 0;
    for await (const page of scan<GroupDocument>(connection, { index: names.every('groups'), ...asked, source })) {
      const places = page.map(({ group }) => groupRowPlace(names, group.tenant, group.id));
      const there = await readMany<Partial<GroupRowDocument>>(connection, places, ['state.hits']);
      const missing = page.filter((_, place) => there[place]?.state?.hits === undefined).slice(0, MOST - filled);
      for (const [tenant, own] of Map.groupBy(missing, ({ group }) => group.tenant))
        for (const some of slices(own, AT_ONCE))
          await rows.refresh(
            tenant,
            some.map(({ group }) => group.id),
          );
      filled += missing.length;
      if (filled === MOST) return;
    }
    isDone = true;
  };
};
