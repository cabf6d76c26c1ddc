import { entryOf } from '#domain/assert.ts';
import {
  GROUP_AGE_NAMES,
  GROUP_AGES,
  type GroupAge,
  type GroupsOfAge,
  RESOLVED_SHOWN_MS,
} from '#domain/correlation/grouping/group-ages.ts';
import {
  GROUP_CARE,
  GROUP_HITS,
  GROUP_STATUSES,
  type GroupAssignment,
  type GroupHits,
  type GroupStatus,
  type ListedGroup,
  type NameKind,
  withMembers,
} from '#domain/correlation/grouping/group-state.ts';
import { MIN_ON } from '#domain/correlation/grouping/urgency.ts';
import type { Group } from '#domain/correlation/records.ts';
import { severityRank } from '#domain/event/event.ts';
import type { Page, PageRequest } from '#domain/page.ts';
import type { GroupRowFilter, GroupRowSort, GroupRows } from '#domain/ports/events/group-rows.ts';
import { slices } from '#domain/slices.ts';
import { zip } from '#domain/zip.ts';
import { documentId } from './cluster/names.ts';
import { all, any, exists, NOTHING, not, range, term, terms } from './cluster/query.ts';
import { type DocumentQuery, search } from './cluster/search.ts';
import type { Store } from './cluster/store.ts';
import { readMany } from './documents/documents.ts';
import { type GroupRowDocument, groupRowPlace, groupRowWrite, keyOf } from './documents/group-row-document.ts';
import type { RecordDocument } from './documents/record-document.ts';
import { eventQuery } from './queries/event-query.ts';
import { findPage } from './queries/find-page.ts';
import { standingGroups } from './queries/group-lookup.ts';
import { type CountedMembers, countMembers, type GroupExtras } from './queries/group-members.ts';

const aged = (age: GroupAge, now: number): DocumentQuery => {
  const [from, until] = GROUP_AGES[age];
  // A start in the future has no age yet.
  return range('group.first', {
    ...(from > 0 && { lte: now - from }),
    ...(Number.isFinite(until) && { gt: now - until }),
  });
};

interface AgeAggregation {
  readonly ages: { readonly buckets: Readonly<Record<GroupAge, { readonly doc_count: number }>> };
}

/** All in one search, without a document. */
async function groupsOfAge({ connection, names }: Store, tenant: string, now: number): Promise<GroupsOfAge[]> {
  const resolved: GroupStatus = 'resolved';
  const unresolved = GROUP_STATUSES.filter((status) => status !== resolved);
  const fresh = all(term('standing', resolved), range('group.last', { gte: now - RESOLVED_SHOWN_MS }));
  const ages = Object.fromEntries(GROUP_AGE_NAMES.map((age) => [age, aged(age, now)]));
  const ofStatus = (status: GroupStatus) => ({
    filter: term('standing', status),
    aggs: { ages: { filters: { filters: ages } } },
  });
  const { aggregations } = await search<unknown, Readonly<Record<GroupStatus, AgeAggregation>>>(connection, {
    index: names.every('grouprows'),
    size: 0,
    query: all(term('group.tenant', tenant), any(terms('standing', unresolved), fresh)),
    aggs: Object.fromEntries(GROUP_STATUSES.map((status) => [status, ofStatus(status)])),
  });
  if (aggregations === undefined) return [];
  return GROUP_STATUSES.flatMap((status) =>
    GROUP_AGE_NAMES.map((age) => ({ status, age, count: aggregations[status].ages.buckets[age].doc_count })),
  );
}

/** Groups counted by one request. */
const AT_ONCE = 25;
/** Maximum of merged groups whose assignment is requested. */
const MAX_CARED = 50;
/** Groups of whose members one has the words that are searched for: those with most of such members. */
const MAX_FOUND = 5_000;

const KINDS = ['service', 'source', 'host', 'ci'] as const satisfies readonly NameKind[];
const named = (filter: GroupRowFilter): DocumentQuery[] =>
  KINDS.flatMap((kind) => {
    const name = filter[kind];
    return name === undefined ? [] : [term('keys', keyOf(kind, kind === 'ci' ? name : name.toLowerCase()))];
  });

const growing = ({ growing: wanted, quietBefore = Number.MIN_SAFE_INTEGER }: GroupRowFilter): DocumentQuery[] => {
  if (wanted === undefined) return [];
  const grows = all(term('group.status', 'open'), range('group.last', { gte: quietBefore }));
  return [wanted ? grows : not(grows)];
};

const cared = ({ assignee, verdict }: GroupRowFilter): DocumentQuery[] => [
  ...(assignee === null ? [not(exists('assignees'))] : []),
  ...(assignee ? [terms('assignees', [assignee].flat())] : []),
  ...(verdict === null ? [not(exists('verdict'))] : []),
  ...(verdict ? [term('verdict', verdict)] : []),
];

async function searched({ connection, names }: Store, tenant: string, typed: string): Promise<DocumentQuery> {
  const query = all(eventQuery(tenant, { search: typed }), exists('event.correlationId'));
  const aggs = { groups: { terms: { field: 'event.correlationId', size: MAX_FOUND } } };
  const { aggregations } = await search<unknown, { groups: { buckets: { key: string }[] } }>(connection, {
    index: names.every('events'),
    query,
    size: 0,
    aggs,
  });
  const ids = (aggregations?.groups.buckets ?? []).map(({ key }) => key);
  if (ids.length === 0) return NOTHING;
  return { bool: { should: [terms('group.id', ids), terms('group.aliases', ids)], minimum_should_match: 1 } };
}

async function queryOf(store: Store, tenant: string, filter: GroupRowFilter): Promise<DocumentQuery> {
  const { statuses, severities, hasOpen, from, to, search: typed, ids } = filter;
  return all(
    term('group.tenant', tenant),
    statuses === undefined ? exists('standing') : terms('standing', statuses),
    ...(severities === undefined ? [] : [terms('rank', severities.map(severityRank))]),
    ...(hasOpen === undefined ? [] : [range('urgency', hasOpen ? { gte: MIN_ON } : { lt: MIN_ON })]),
    ...(ids === undefined ? [] : [terms('group.id', ids)]),
    ...growing(filter),
    ...named(filter),
    ...cared(filter),
    ...(from === undefined ? [] : [range('group.last', { gte: from })]),
    ...(to === undefined ? [] : [range('group.first', { lte: to })]),
    ...(typed === undefined ? [] : [await searched(store, tenant, typed)]),
  );
}

async function find(
  store: Store,
  tenant: string,
  filter: GroupRowFilter,
  page: PageRequest<GroupRowSort>,
): Promise<Page<ListedGroup>> {
  const query = await queryOf(store, tenant, filter);
  const key = page.sort === 'urgency' ? 'urgency' : `group.${page.sort}`;
  const asked = { index: store.names.every('grouprows'), query, page, key, id: 'group.id' };
  const found = await findPage<GroupRowDocument, GroupRowSort>(store.connection, asked);
  return { ...found, items: found.items.map(({ group, state, care }) => ({ group, state, care })) };
}

/** Rows of groups that were merged away leave the lists; `merged`: positions of the groups that they are in now, by id. */
async function leave(store: Store, tenant: string, merged: ReadonlyMap<string, number>): Promise<void> {
  const { connection, names, bulk } = store;
  const places = [...merged.keys()].map((id) => groupRowPlace(names, tenant, id));
  const rows = (await readMany<GroupRowDocument>(connection, places)).flatMap((row) => row ?? []);
  const writes = rows
    .filter(({ standing }) => standing !== undefined)
    .map((row) => {
      const group = { ...row.group, status: 'merged' as const };
      const newest = Math.max(entryOf(merged, group.id), group.position);
      return groupRowWrite(names, { ...row, group: { ...group, position: newest } }, [], newest);
    });
  if (writes.length > 0) await bulk.write(writes);
}

/** Returns the assignment of each group itself, else of the newest group merged into it; and its affected services. */
async function keptOf({ connection, names }: Store, groups: readonly Group[]): Promise<GroupExtras[]> {
  const index = names.single('records');
  const asked = groups.map(({ tenant, id, aliases }) => [
    documentId(tenant, GROUP_HITS, id),
    ...[id, ...aliases.slice(-MAX_CARED).reverse()].map((one) => documentId(tenant, GROUP_CARE, one)),
  ]);
  const places = asked.flat().map((id) => ({ index, id }));
  const found = await readMany<RecordDocument>(connection, places);
  let at = 0;
  return asked.map((ids) => {
    const [hits, ...care] = found.slice(at, at + ids.length);
    at += ids.length;
    return {
      care: (care.find((document) => document?.body)?.body ?? {}) as GroupAssignment,
      hits: (hits?.body as GroupHits | undefined)?.count ?? 0,
    };
  });
}

type PositionedRow = Pick<CountedMembers, 'keys' | 'position'> & { readonly row: ListedGroup };

async function rowsOf(store: Store, groups: readonly Group[]): Promise<PositionedRow[]> {
  const kept = await keptOf(store, groups);
  const counted = zip(groups, await countMembers(store, groups, kept));
  return zip(counted, kept).map(([[group, { state, keys, position }], { care }]) => ({
    keys,
    position,
    row: { group: withMembers(group, state.counts), state, care },
  }));
}

async function write(store: Store, tenant: string, groups: readonly Group[], since: number): Promise<void> {
  const rows = await rowsOf(store, groups);
  await store.bulk.write(
    rows.map(({ row, keys, position }) => groupRowWrite(store.names, row, keys, Math.max(position, since))),
  );
  const merged = rows.flatMap(({ row, position }) => row.group.aliases.map((id) => [id, position] as const));
  if (merged.length > 0) await leave(store, tenant, new Map(merged));
}

async function refresh(store: Store, tenant: string, ids: readonly string[], since: number): Promise<void> {
  await Promise.all([store.indices.refreshCalmly('events'), store.indices.refreshCalmly('groups')]);
  const standing = await standingGroups(store, tenant, ids);
  // Many of them may be one group by now.
  const groups = new Map([...standing.values()].map((group) => [group.id, group]));
  for (const some of slices([...groups.values()], AT_ONCE)) await write(store, tenant, some, since);
}

async function currentRows(store: Store, tenant: string, ids: readonly string[]): Promise<Map<string, ListedGroup>> {
  const groups = [...(await standingGroups(store, tenant, ids))];
  if (groups.length > 0) await store.indices.fresh('events', tenant);
  const rows: PositionedRow[] = [];
  for (const some of slices(groups, AT_ONCE))
    rows.push(
      ...(await rowsOf(
        store,
        some.map(([, group]) => group),
      )),
    );
  return new Map(zip(groups, rows).map(([[id], { row }]) => [id, row]));
}

/** Rows that the engine counts when they change; a request for one group counts it immediately. */
export const openGroupRows = (store: Store): GroupRows => ({
  async find(tenant, filter, page) {
    await store.indices.fresh('grouprows');
    return find(store, tenant, filter, page);
  },
  get: async (tenant, idOrAlias) => (await currentRows(store, tenant, [idOrAlias])).get(idOrAlias) ?? null,
  getMany: (tenant, ids) => currentRows(store, tenant, ids),
  async countByAge(tenant, now) {
    await store.indices.fresh('grouprows');
    return groupsOfAge(store, tenant, now);
  },
  refresh: (tenant, ids, since = 0) => refresh(store, tenant, ids, since),
});
