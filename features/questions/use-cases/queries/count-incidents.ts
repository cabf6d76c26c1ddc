import { pagesOf } from '#application/records/list-records.ts';
import { entryOf } from '#domain/assert.ts';
import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import type { PartRequest } from '#domain/page.ts';
import { type AggregateFilter, type AggregateKey, MAX_BUCKETS } from '#domain/ports/events/event-aggregates.ts';
import { slices } from '#domain/slices.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import {
  countRow,
  type Filters,
  type Grouping,
  isTimed,
  NONE,
  type QueryRow,
  wholeRow,
} from '#features/questions/rules/query.ts';
import type { CountedMetric, QueryAsking } from './asking.ts';
import { foldServices, labelled, type Sum, typesOf } from './fold.ts';
import { countBy, countOverTime, type Walked, walkNewest } from './walk.ts';

/** Groups that are looked at, the newest. */
const MOST = 10_000;
const CHUNK = 1_000;

export interface CountIncidents {
  readonly filters: Filters;
  readonly filter: AggregateFilter;
  /** CIs of which one is that of the cause; null: any is. */
  readonly causes: readonly string[] | null;
  /** The mean duration of ended groups. */
  readonly isOfDuration: boolean;
  readonly groupBy: Grouping | null;
  readonly range: Range | null;
}
const groupsIn = ({ tenant, ports }: QueryAsking, range: Range | null): Promise<Walked<Group>> => {
  const filter = range === null ? {} : { to: range.to - 1 };
  const find = (page: PartRequest) =>
    ports.correlation.groups(tenant, filter, { sort: 'first', order: 'desc', ...page });
  return walkNewest(find, range?.from ?? 0, ({ first }) => first, MOST);
};

type Members = ReadonlyMap<string, readonly (string | null)[]>;
const byAnyName = (groups: readonly Group[]): ReadonlyMap<string, string> =>
  new Map(groups.flatMap(({ id, aliases }) => [id, ...aliases].map((one) => [one, id] as const)));

/** Values of the matching members by group; groups without a matching member are omitted. */
async function valuesOf(
  { tenant, ports }: QueryAsking,
  groups: readonly Group[],
  key: AggregateKey,
  filter: AggregateFilter = {},
): Promise<Members> {
  const values = new Map<string, (string | null)[]>();
  const request = { measure: 'events', by: ['group', key], limit: MAX_BUCKETS } as const;
  for (const chunk of slices(groups, CHUNK)) {
    const standing = byAnyName(chunk);
    const asked = { ...filter, correlationIds: [...standing.keys()] };
    for (const { keys } of (await ports.eventAggregates.aggregate(tenant, asked, request)).buckets) {
      const group = standing.get(keys[0] ?? '');
      if (group !== undefined) values.set(group, [...(values.get(group) ?? []), keys[1] ?? null]);
    }
  }
  return values;
}

/** A group has the highest severity of its members. */
const worst = (severities: readonly (string | null)[]): string =>
  SEVERITIES.find((severity) => severities.includes(severity)) ?? 'info';

/** The groups as lists show them: with state, and with the verdict of a person. */
async function listedOf({ tenant, ports }: QueryAsking, groups: readonly Group[]): Promise<ListedGroup[]> {
  const page = { sort: 'first', order: 'desc', limit: CHUNK } as const;
  const found: ListedGroup[] = [];
  for (const some of slices(groups, CHUNK))
    found.push(...(await ports.groupRows.find(tenant, { ids: some.map(({ id }) => id) }, page)).items);
  return found;
}

/** Open while a member is. */
async function statusesOf(asking: QueryAsking, groups: readonly Group[]) {
  const said = ({ status }: ListedGroup['state']): string => (status === 'active' ? 'open' : status);
  const statuses = new Map((await listedOf(asking, groups)).map(({ group, state }) => [group.id, said(state)]));
  return (group: Group): string => statuses.get(group.id) ?? 'resolved';
}

/** Those whose cause is on one of the CIs; that of a person counts. */
async function beganWith(asking: QueryAsking, groups: readonly Group[], causes: readonly string[]): Promise<Group[]> {
  const { tenant, ports } = asking;
  const said = new Map(
    (await listedOf(asking, groups)).flatMap(({ group, care: { verdict } }) =>
      verdict?.cause === 'wrong' ? [[group.id, verdict.rootEventId ?? ''] as const] : [],
    ),
  );
  const eventOf = ({ id, candidate }: Group): string => said.get(id) ?? candidate?.eventId ?? '';
  const cis = new Map<string, string | undefined>();
  for (const some of slices([...new Set(groups.map(eventOf))].filter(Boolean), CHUNK))
    for (const { id, ci } of await ports.events.getMany(tenant, some)) cis.set(id, ci?.id);
  return groups.filter((group) => {
    const scored = said.has(group.id) ? null : group.candidate?.ciId;
    return causes.includes(scored ?? cis.get(eventOf(group)) ?? '');
  });
}

/** Those of which a member meets the filter, and whose worst severity and status are wanted. */
async function matching(asking: QueryAsking, all: readonly Group[], asked: CountIncidents) {
  const { filters, filter, causes, groupBy } = asked;
  const groups = causes === null ? all : await beganWith(asking, all, causes);
  const { statuses: _status, severities: _severity, ...ofMembers } = filter;
  const { severity, status } = filters;
  const statusOf = await statusesOf(asking, status !== undefined || groupBy === 'status' ? groups : []);
  const standing = groups.filter((group) => status?.includes(statusOf(group)) ?? true);
  const severities = severity === undefined ? null : await valuesOf(asking, standing, 'severity');
  const severe = standing.filter(
    ({ id }) => severities === null || severity?.includes(worst(severities.get(id) ?? [])),
  );
  const isNarrowed = Object.keys(ofMembers).length > 0;
  const members = isNarrowed ? await valuesOf(asking, severe, 'severity', ofMembers) : null;
  return { groups: severe.filter(({ id }) => members?.has(id) ?? true), statusOf };
}

const KEYS: Readonly<Partial<Record<Grouping, AggregateKey>>> = {
  source: 'source',
  ci: 'ci',
  host: 'host',
  ci_type: 'ci',
  environment: 'environment',
  signature: 'signature',
};

interface GroupSum extends Sum {
  readonly ids: ReadonlySet<string>;
}
/** Counts groups by a value of their members; a group with several values counts for each. */
async function sumsBy(asking: QueryAsking, groups: readonly Group[], grouping: Grouping): Promise<readonly GroupSum[]> {
  const sums = new Map<string, Set<string>>();
  const labels = new Map<string, string>();
  const add = (key: string, label: string, group: string): void => {
    sums.set(key, (sums.get(key) ?? new Set()).add(group));
    labels.set(key, label);
  };
  if (grouping === 'service') await addServices(asking, groups, add);
  else {
    const values = await valuesOf(asking, groups, KEYS[grouping] ?? 'severity');
    const cis = [...new Set([...values.values()].flat())].flatMap((ci) => ci ?? []);
    const types = grouping === 'ci_type' ? await typesOf(asking, cis) : null;
    for (const [group, found] of values)
      for (const value of found) {
        const key = (types === null ? value : types.get(value ?? '')) ?? NONE;
        // An event without a CI doesn't count for the place if other members have one.
        if (key !== NONE || found.length === 1) add(key, key, group);
      }
  }
  return [...sums].map(([key, ids]) => ({ key, label: entryOf(labels, key), count: ids.size, sum: ids.size, ids }));
}

/** Groups by services of members, as for events. */
async function addServices(
  asking: QueryAsking,
  groups: readonly Group[],
  add: (key: string, label: string, group: string) => void,
): Promise<void> {
  const [texts, cis] = await Promise.all([valuesOf(asking, groups, 'service'), valuesOf(asking, groups, 'ci')]);
  for (const { id } of groups) {
    const named = (texts.get(id) ?? []).map((text) => [text, null] as const);
    const bound = (cis.get(id) ?? []).map((ci) => [null, ci] as const);
    const buckets = [...named, ...bound].map((keys) => ({ keys, count: 1, sum: 1 }));
    const services = (await foldServices(asking, buckets)).filter(({ key }) => key !== NONE);
    if (services.length === 0) add(NONE, NONE, id);
    for (const { key, label } of services) add(key, label, id);
  }
}

/** Groups of which the members are read for a duration. */
const TIMED_GROUPS = 500;

/** Duration of each ended group, ms. */
export async function durationsOf(
  { tenant, ports }: Pick<QueryAsking, 'tenant' | 'ports'>,
  groups: readonly Group[],
): Promise<ReadonlyMap<string, number>> {
  const standing = byAnyName(groups.slice(0, TIMED_GROUPS));
  const ends = new Map<string, number | null>();
  const filter = { correlationIds: [...standing.keys()] };
  const read = (page: PartRequest) => ports.events.part(tenant, filter, { sort: 'timestamp', order: 'asc', ...page });
  for await (const events of standing.size === 0 ? [] : pagesOf(CHUNK, read))
    for (const event of events.filter((one) => !isChange(one))) {
      const { correlationId, status, resolvedAt, lastOccurrence } = event;
      const id = standing.get(correlationId ?? '') ?? '';
      const before = ends.get(id);
      if (status === 'open' || status === 'acknowledged') ends.set(id, null);
      else if (before !== null) ends.set(id, Math.max(before ?? 0, resolvedAt ?? lastOccurrence));
    }
  const spans = groups.map(({ id, first }) => [id, ends.get(id) ?? null, first] as const);
  return new Map(spans.flatMap(([id, end, first]) => (end === null ? [] : [[id, Math.max(0, end - first)] as const])));
}

const meanOf = (spans: readonly number[]): number | null =>
  spans.length === 0 ? null : spans.reduce((sum, one) => sum + one, 0) / spans.length / 1_000;

/** Mean durations, in seconds, by a value of the members. */
async function meanDurations(asking: QueryAsking, groups: readonly Group[], groupBy: Grouping | null) {
  const spans = await durationsOf(asking, groups);
  const of = (ids: Iterable<string>): number[] => [...ids].flatMap((id) => spans.get(id) ?? []);
  const all = of(groups.map(({ id }) => id));
  const whole = { total: meanOf(all), count: all.length };
  if (groupBy === null || isTimed(groupBy) || groupBy === 'status')
    return { ...whole, rows: [wholeRow(whole.total, all.length)] };
  const sums = await labelled(asking, groupBy, await sumsBy(asking, groups, groupBy));
  const rows = sums.map(({ key, label, ids }) => ({ key, label, value: meanOf(of(ids)), count: of(ids).length }));
  return { ...whole, rows };
}

/** Counts groups by their start and by values of their members. */
export async function countIncidents(asking: QueryAsking, asked: CountIncidents): Promise<CountedMetric> {
  const { groupBy, range } = asked;
  const { items: all, truncated } = await groupsIn(asking, range);
  const { groups, statusOf } = await matching(asking, all, asked);
  if (asked.isOfDuration) return { ...(await meanDurations(asking, groups, groupBy)), truncated };
  const rowsBy = async (grouping: Grouping): Promise<readonly QueryRow[]> => {
    const times = groups.map(({ first }) => first);
    if (isTimed(grouping)) return countOverTime(times, grouping, { range, now: asking.receivedAt, zone: asking.zone });
    if (grouping === 'status') return countBy(groups, (group) => [statusOf(group)]);
    if (grouping === 'severity') {
      const severities = await valuesOf(asking, groups, 'severity');
      return countBy(groups, ({ id }) => [worst(severities.get(id) ?? [])]);
    }
    const sums = await labelled(asking, grouping, await sumsBy(asking, groups, grouping));
    return sums.map(({ key, label, count }) => countRow(key, count, label));
  };
  const total = groups.length;
  const rows = groupBy === null ? [wholeRow(total, total)] : await rowsBy(groupBy);
  return { rows, total, count: total, truncated };
}
