import {
  GROUP_AGE_NAMES,
  GROUP_AGES,
  type GroupAge,
  type GroupsOfAge,
  RESOLVED_SHOWN_MS,
} from '#domain/correlation/grouping/group-ages.ts';
import { GROUP_STATUSES, type GroupStatus } from '#domain/correlation/grouping/group-state.ts';
import { all, any, range, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import { type DocumentQuery, search } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';

const aged = (age: GroupAge, now: number): DocumentQuery => {
  const [from, until] = GROUP_AGES[age];
  // A start in the future has no age yet.
  return range('group.first', {
    ...(from > 0 && { lte: now - from }),
    ...(Number.isFinite(until) && { gt: now - until }),
  });
};

interface Counted {
  readonly ages: { readonly buckets: Readonly<Record<GroupAge, { readonly doc_count: number }>> };
}

/** All in one search, without a document. */
export async function groupsOfAge({ connection, names }: Store, tenant: string, now: number): Promise<GroupsOfAge[]> {
  const resolved: GroupStatus = 'resolved';
  const unresolved = GROUP_STATUSES.filter((status) => status !== resolved);
  const fresh = all(term('standing', resolved), range('group.last', { gte: now - RESOLVED_SHOWN_MS }));
  const ages = Object.fromEntries(GROUP_AGE_NAMES.map((age) => [age, aged(age, now)]));
  const ofStatus = (status: GroupStatus) => ({
    filter: term('standing', status),
    aggs: { ages: { filters: { filters: ages } } },
  });
  const { aggregations } = await search<unknown, Readonly<Record<GroupStatus, Counted>>>(connection, {
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
