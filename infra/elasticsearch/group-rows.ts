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
import { inParallel } from '#infra/wait.ts';
import { documentId } from './cluster/names.ts';
import { all, any, exists, NOTHING, not, range, term, terms } from './cluster/query.ts';
import { type DocumentQuery, search } from './cluster/search.ts';
import type { Store } from './cluster/store.ts';
import { type GroupDocument, groupPlace } from './documents/correlation-documents.ts';
import { readMany } from './documents/documents.ts';
import { type GroupRowDocument, groupRowPlace, groupRowWrite, keyOf } from './documents/group-row-document.ts';
import type { RecordDocument } from './documents/record-document.ts';
import { eventQuery } from './queries/event-query.ts';
import { findPage } from './queries/find-page.ts';
import { standingGroup } from './queries/group-lookup.ts';
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

/** Groups counted at once. */
const AT_ONCE = 4;
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

/** Rows of groups that were merged away leave the lists. */
async function leave(store: Store, tenant: string, ids: readonly string[], position: number): Promise<void> {
  const { connection, names, bulk } = store;
  const places = ids.map((id) => groupRowPlace(names, tenant, id));
  const rows = (await readMany<GroupRowDocument>(connection, places)).flatMap((row) => row ?? []);
  const writes = rows
    .filter(({ standing }) => standing !== undefined)
    .map((row) => {
      const group = { ...row.group, status: 'merged' as const };
      const newest = Math.max(position, group.position);
      return groupRowWrite(names, { ...row, group: { ...group, position: newest } }, [], newest);
    });
  if (writes.length > 0) await bulk.write(writes);
}

/** Returns the assignment of the group itself, else of the newest group merged into it; and its affected services. */
async function keptOf(store: Store, { tenant, id, aliases }: Group): Promise<GroupExtras> {
  const { connection, names } = store;
  const index = names.single('records');
  const ids = [id, ...aliases.slice(-MAX_CARED).reverse()];
  const places = [
    { index, id: documentId(tenant, GROUP_HITS, id) },
    ...ids.map((one) => ({ index, id: documentId(tenant, GROUP_CARE, one) })),
  ];
  const [hits, ...found] = await readMany<RecordDocument>(connection, places);
  return {
    care: (found.find((document) => document?.body)?.body ?? {}) as GroupAssignment,
    hits: (hits?.body as GroupHits | undefined)?.count ?? 0,
  };
}

type PositionedRow = Pick<CountedMembers, 'keys' | 'position'> & { readonly row: ListedGroup };

async function rowOf(store: Store, group: Group): Promise<PositionedRow> {
  const kept = await keptOf(store, group);
  const { state, keys, position } = await countMembers(store, group, kept);
  return { keys, position, row: { group: withMembers(group, state.counts), state, care: kept.care } };
}

async function write(store: Store, tenant: string, id: string, since: number): Promise<void> {
  const group = await standingGroup(store, tenant, id);
  if (group === null) return;
  const { row, keys, position } = await rowOf(store, group);
  await store.bulk.write([groupRowWrite(store.names, row, keys, Math.max(position, since))]);
  if (group.aliases.length > 0) await leave(store, tenant, group.aliases, position);
}

async function refresh(store: Store, tenant: string, ids: readonly string[], since: number): Promise<void> {
  const { connection, names, indices } = store;
  await Promise.all([indices.refresh('events'), indices.refresh('groups')]);
  const stored = await readMany<GroupDocument>(
    connection,
    ids.map((id) => groupPlace(names, tenant, id)),
  );
  // Many of them may be one group by now.
  const standing = new Set(ids.map((id, place) => stored[place]?.group.mergedInto ?? id));
  await inParallel(AT_ONCE, standing.values(), (id) => write(store, tenant, id, since));
}

/** Rows that the engine counts when they change; a request for one group counts it immediately. */
export const openGroupRows = (store: Store): GroupRows => ({
  async find(tenant, filter, page) {
    await store.indices.fresh('grouprows');
    return find(store, tenant, filter, page);
  },
  async get(tenant, idOrAlias) {
    const group = await standingGroup(store, tenant, idOrAlias);
    if (group === null) return null;
    await store.indices.fresh('events');
    return (await rowOf(store, group)).row;
  },
  async countByAge(tenant, now) {
    await store.indices.fresh('grouprows');
    return groupsOfAge(store, tenant, now);
  },
  refresh: (tenant, ids, since = 0) => refresh(store, tenant, ids, since),
});
