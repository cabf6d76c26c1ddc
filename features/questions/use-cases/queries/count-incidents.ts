import { entryOf, itemAt } from '#domain/assert.ts';
import type { GroupStatus } from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { type AggregateFilter, type AggregateKey, MAX_BUCKETS } from '#domain/ports/events/event-aggregates.ts';
import { slices } from '#domain/slices.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { bucketEdges } from '#features/questions/rules/edges.ts';
import type { Filters, Grouping } from '#features/questions/rules/query.ts';
import { NONE, type QueryRow } from '#features/questions/rules/result.ts';
import { iso } from '#schemas/http/time.ts';
import type { CountedMetric, QueryAsking } from './asking.ts';
import { foldServices, type Sum, typesOf } from './fold.ts';
import { titlesOf } from './titles.ts';

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

/** Groups that began in the range. */
async function groupsIn({ tenant, ports }: QueryAsking, range: Range | null) {
  const groups: Group[] = [];
  let cursor: string | null = null;
  for (;;) {
    const page = { sort: 'first', order: 'desc', limit: CHUNK, ...(cursor !== null && { cursor }) } as const;
    const found = await ports.correlation.groups(tenant, range === null ? {} : { to: range.to - 1 }, page);
    groups.push(...found.items.filter(({ first }) => first >= (range?.from ?? 0)));
    cursor = found.nextCursor;
    const isPast = (found.items.at(-1)?.first ?? 0) < (range?.from ?? 0);
    if (cursor === null || isPast) return { groups, truncated: false };
    if (groups.length >= MOST) return { groups, truncated: true };
  }
}

type Members = ReadonlyMap<string, readonly (string | null)[]>;

/** Values of the matching members by group; groups without a matching member are omitted. */
async function valuesOf(
  { tenant, ports }: QueryAsking,
  groups: readonly Group[],
  filter: AggregateFilter,
  key: AggregateKey,
): Promise<Members> {
  const values = new Map<string, (string | null)[]>();
  for (const chunk of slices(groups, CHUNK)) {
    const standing = new Map(chunk.flatMap(({ id, aliases }) => [id, ...aliases].map((one) => [one, id] as const)));
    const request = { measure: 'events', by: ['group', key], limit: MAX_BUCKETS } as const;
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

const isNarrowed = ({ statuses: _status, severities: _severity, ...filter }: AggregateFilter): boolean =>
  Object.keys(filter).length > 0;

const SAID: Readonly<Record<GroupStatus, string>> = {
  active: 'open',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
};

/** The state of the groups by their members, as lists of groups show it: open while a member is. */
async function statusesOf({ tenant, ports }: QueryAsking, groups: readonly Group[]) {
  const statuses = new Map<string, string>();
  for (const some of slices(groups, CHUNK)) {
    const ids = some.map(({ id }) => id);
    const page = { sort: 'first', order: 'desc', limit: CHUNK } as const;
    const { items } = await ports.groupRows.find(tenant, { ids }, page);
    for (const { group, state } of items) statuses.set(group.id, SAID[state.status]);
  }
  return (group: Group): string => statuses.get(group.id) ?? 'resolved';
}

/** Those whose cause is on one of the CIs; that of a person counts. */
async function beganWith(
  { tenant, ports }: QueryAsking,
  groups: readonly Group[],
  causes: readonly string[],
): Promise<Group[]> {
  const found: Group[] = [];
  for (const some of slices(groups, CHUNK)) {
    const page = { sort: 'first', order: 'desc', limit: CHUNK } as const;
    const { items } = await ports.groupRows.find(tenant, { ids: some.map(({ id }) => id) }, page);
    const said = new Map(
      items.map(({ group, care: { verdict } }) => [
        group.id,
        verdict?.cause === 'wrong' ? (verdict.rootEventId ?? '') : null,
      ]),
    );
    const eventOf = ({ id, candidate }: Group): string => said.get(id) ?? candidate?.eventId ?? '';
    const events = await ports.events.getMany(tenant, [...new Set(some.map(eventOf).filter((id) => id !== ''))]);
    const ciOf = new Map(events.map(({ id, ci }) => [id, ci?.id]));
    const isIt = (group: Group): boolean =>
      causes.includes((said.get(group.id) == null ? group.candidate?.ciId : null) ?? ciOf.get(eventOf(group)) ?? '');
    found.push(...some.filter(isIt));
  }
  return found;
}

/** Those of which a member meets the filter, and whose worst severity and status are wanted. */
async function matching(
  asking: QueryAsking,
  all: readonly Group[],
  { filters, filter, causes, groupBy }: CountIncidents,
) {
  const groups = causes === null ? all : await beganWith(asking, all, causes);
  const { statuses: _status, severities: _severity, ...ofMembers } = filter;
  const { severity, status } = filters;
  const isAsked = status !== undefined || groupBy === 'status';
  const statusOf = await statusesOf(asking, isAsked ? groups : []);
  const standing = groups.filter((group) => status === undefined || status.includes(statusOf(group)));
  const severities = severity === undefined ? null : await valuesOf(asking, standing, {}, 'severity');
  const severe = standing.filter(
    ({ id }) => severities === null || severity?.includes(worst(severities.get(id) ?? [])) === true,
  );
  const members = isNarrowed(filter) ? await valuesOf(asking, severe, ofMembers, 'severity') : null;
  return { groups: severe.filter(({ id }) => members === null || members.has(id)), statusOf };
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
    const values = await valuesOf(asking, groups, {}, KEYS[grouping] ?? 'severity');
    const types = grouping === 'ci_type' ? await typesIn(asking, values) : null;
    for (const [group, found] of values)
      for (const value of found) {
        const key = (types === null ? value : types.get(value ?? '')) ?? NONE;
        // An event without a CI doesn't count for the place if other members have one.
        if (key !== NONE || found.length === 1) add(key, key, group);
      }
  }
  return [...sums].map(([key, ids]) => ({ key, label: entryOf(labels, key), count: ids.size, sum: ids.size, ids }));
}

const typesIn = (asking: QueryAsking, values: Members): Promise<ReadonlyMap<string, string>> =>
  typesOf(
    asking,
    [...new Set([...values.values()].flat())].flatMap((ci) => ci ?? []),
  );

/** Groups by services of members, as for events. */
async function addServices(
  asking: QueryAsking,
  groups: readonly Group[],
  add: (key: string, label: string, group: string) => void,
): Promise<void> {
  const [texts, cis] = await Promise.all([valuesOf(asking, groups, {}, 'service'), valuesOf(asking, groups, {}, 'ci')]);
  for (const { id } of groups) {
    const named = (texts.get(id) ?? []).map((text) => [text, null] as const);
    const bound = (cis.get(id) ?? []).map((ci) => [null, ci] as const);
    const buckets = [...named, ...bound].map((keys) => ({ keys, count: 1, sum: 1 }));
    const services = (await foldServices(asking, buckets)).filter(({ key }) => key !== NONE);
    if (services.length === 0) add(NONE, NONE, id);
    for (const { key, label } of services) add(key, label, id);
  }
}

async function labelled(asking: QueryAsking, grouping: Grouping, sums: readonly Sum[]): Promise<QueryRow[]> {
  const keys = sums.map(({ key }) => key).filter((key) => key !== NONE);
  const { tenant, ports } = asking;
  const labels =
    grouping === 'signature'
      ? await titlesOf(asking, keys)
      : new Map((grouping === 'ci' ? await ports.topology.getCis(tenant, keys) : []).map(({ id, name }) => [id, name]));
  return sums.map(({ key, label, count }) => ({ key, label: labels.get(key) ?? label, value: count, count }));
}

const count = (groups: readonly Group[], keyOf: (group: Group) => string): QueryRow[] => {
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(keyOf(group), (counts.get(keyOf(group)) ?? 0) + 1);
  return [...counts].map(([key, n]) => ({ key, label: key, value: n, count: n }));
};

function overTime(groups: readonly Group[], edges: readonly number[]): QueryRow[] {
  return edges.slice(0, -1).map((edge, i) => {
    const n = groups.filter(({ first }) => first >= edge && first < itemAt(edges, i + 1)).length;
    return { key: iso(edge), label: iso(edge), value: n, count: n };
  });
}

/** Groups of which the members are read for a duration. */
const TIMED_GROUPS = 500;

/** Duration of each ended group, ms. */
export async function durationsOf(
  { tenant, ports }: Pick<QueryAsking, 'tenant' | 'ports'>,
  groups: readonly Group[],
): Promise<ReadonlyMap<string, number>> {
  const standing = new Map(
    groups.slice(0, TIMED_GROUPS).flatMap(({ id, aliases }) => [id, ...aliases].map((one) => [one, id] as const)),
  );
  const ends = new Map<string, number | null>();
  let cursor: string | null = null;
  do {
    const page = { sort: 'timestamp', order: 'asc', limit: CHUNK, ...(cursor !== null && { cursor }) } as const;
    const part = await ports.events.part(tenant, { correlationIds: [...standing.keys()] }, page);
    for (const event of part.items) {
      const { correlationId, status, resolvedAt, lastOccurrence } = event;
      if (isChange(event)) continue;
      const id = standing.get(correlationId ?? '') ?? '';
      const before = ends.get(id);
      if (status === 'open' || status === 'acknowledged') ends.set(id, null);
      else if (before !== null) ends.set(id, Math.max(before ?? 0, resolvedAt ?? lastOccurrence));
    }
    cursor = part.nextCursor;
  } while (cursor !== null && standing.size > 0);
  return new Map(
    groups.flatMap(({ id, first }) =>
      ends.get(id) == null ? [] : [[id, Math.max(0, (ends.get(id) ?? 0) - first)] as const],
    ),
  );
}

const meanOf = (spans: readonly number[]): number | null =>
  spans.length === 0 ? null : spans.reduce((sum, one) => sum + one, 0) / spans.length / 1_000;

/** Mean durations, in seconds, by a value of the members. */
async function meanDurations(
  asking: QueryAsking,
  groups: readonly Group[],
  groupBy: Grouping | null,
  truncated: boolean,
): Promise<CountedMetric> {
  const spans = await durationsOf(asking, groups);
  const of = (ids: Iterable<string>): number[] => [...ids].flatMap((id) => spans.get(id) ?? []);
  const all = of(groups.map(({ id }) => id));
  const whole = { total: meanOf(all), count: all.length, truncated };
  if (groupBy === null || groupBy === 'hour' || groupBy === 'day' || groupBy === 'week' || groupBy === 'status')
    return { ...whole, rows: [{ key: 'all', label: 'all', value: whole.total, count: all.length }] };
  const sums = await sumsBy(asking, groups, groupBy);
  const labels = await labelled(asking, groupBy, sums);
  return {
    ...whole,
    rows: labels.map((row, i) => ({
      ...row,
      value: meanOf(of(sums[i]?.ids ?? [])),
      count: of(sums[i]?.ids ?? []).length,
    })),
  };
}

/** Counts groups by their start and by values of their members. */
export async function countIncidents(asking: QueryAsking, asked: CountIncidents): Promise<CountedMetric> {
  const { groupBy, range } = asked;
  const { groups: all, truncated } = await groupsIn(asking, range);
  const { groups, statusOf } = await matching(asking, all, asked);
  if (asked.isOfDuration) return meanDurations(asking, groups, groupBy, truncated);
  const whole = { total: groups.length, count: groups.length, truncated };
  switch (groupBy) {
    case null:
      return { ...whole, rows: [{ key: 'all', label: 'all', value: groups.length, count: groups.length }] };
    case 'hour':
    case 'day':
    case 'week': {
      const of = range ?? {
        from: Math.min(asking.receivedAt, ...groups.map(({ first }) => first)),
        to: asking.receivedAt,
      };
      return { ...whole, rows: overTime(groups, bucketEdges(of, groupBy, asking.zone)) };
    }
    case 'status':
      return { ...whole, rows: count(groups, statusOf) };
    case 'severity': {
      const severities = await valuesOf(asking, groups, {}, 'severity');
      return { ...whole, rows: count(groups, ({ id }) => worst(severities.get(id) ?? [])) };
    }
    default:
      return { ...whole, rows: await labelled(asking, groupBy, await sumsBy(asking, groups, groupBy)) };
  }
}
