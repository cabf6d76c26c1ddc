import type { Group } from '#domain/correlation/records.ts';
import type { Page, PageRequest } from '#domain/page.ts';
import type { GroupFilter, GroupSort } from '#domain/ports/correlation-store.ts';
import { all, any, not, range, term } from '#infra/elasticsearch/cluster/query.ts';
import { search } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { type GroupDocument, groupPlace } from '#infra/elasticsearch/documents/correlation-documents.ts';
import { readMany } from '#infra/elasticsearch/documents/documents.ts';
import { findPage } from './find-page.ts';

/** Groups merged one into the next; a longer chain would be a circle. */
const MAX_MERGES = 10_000;

async function namedBy({ connection, names, indices }: Store, tenant: string, alias: string): Promise<string | null> {
  await indices.fresh('groups');
  const { documents } = await search<GroupDocument>(connection, {
    index: names.every('groups'),
    size: 1,
    sort: [{ 'group.position': 'desc' }],
    _source: ['group.id'],
    query: all(term('group.tenant', tenant), term('group.aliases', alias)),
  });
  return documents[0]?.group.id ?? null;
}

async function storedGroup({ connection, names }: Store, tenant: string, id: string): Promise<Group | undefined> {
  const [document] = await readMany<GroupDocument>(connection, [groupPlace(names, tenant, id)]);
  return document?.group;
}

/** Returns the current group of this id. */
export async function standingGroup(store: Store, tenant: string, idOrAlias: string): Promise<Group | null> {
  let id: string | null = idOrAlias;
  for (let i = 0; i < MAX_MERGES && id !== null; i++) {
    const group: Group | undefined = await storedGroup(store, tenant, id);
    if (group && group.status !== 'merged') return group;
    id = group?.mergedInto ?? (await namedBy(store, tenant, id));
  }
  return null;
}

/** The current groups of these ids, by id; nearly all of them are their own. */
export async function standingGroups(
  store: Store,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Group>> {
  const { connection, names } = store;
  const places = ids.map((id) => groupPlace(names, tenant, id));
  const stored = await readMany<GroupDocument>(connection, places);
  const found = new Map<string, Group>();
  for (const [place, id] of ids.entries()) {
    const own = stored[place]?.group;
    const isCurrent = own !== undefined && own.status !== 'merged';
    const group = isCurrent ? own : await standingGroup(store, tenant, own?.mergedInto ?? id);
    if (group !== null) found.set(id, group);
  }
  return found;
}

const statusIs = ({ status, quietBefore = Number.MIN_SAFE_INTEGER }: GroupFilter) => {
  if (status === undefined) return not(term('group.status', 'merged'));
  const open = term('group.status', 'open');
  if (status === 'open') return all(open, range('group.last', { gte: quietBefore }));
  return any(term('group.status', 'closed'), all(open, range('group.last', { lte: quietBefore - 1 })));
};

/** Returns unmerged groups; merged ones are shown as the group they were merged into. */
export async function findGroups(
  { connection, names }: Store,
  tenant: string,
  { from, to, ...filter }: GroupFilter,
  page: PageRequest<GroupSort>,
): Promise<Page<Group>> {
  const query = all(
    term('group.tenant', tenant),
    statusIs(filter),
    ...(from === undefined ? [] : [range('group.last', { gte: from })]),
    ...(to === undefined ? [] : [range('group.first', { lte: to })]),
  );
  const search = { index: names.every('groups'), query, page, key: `group.${page.sort}`, id: 'group.id' };
  const found = await findPage<GroupDocument, GroupSort>(connection, search);
  return { ...found, items: found.items.map(({ group }) => group) };
}
