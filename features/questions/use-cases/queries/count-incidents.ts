import { pagesOf } from '#application/records/list-records.ts';
import { entryOf } from '#domain/assert.ts';
import type { GroupStatus, ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import type { PartRequest } from '#domain/page.ts';
import { type AggregateFilter, type AggregateKey, MAX_BUCKETS } from '#domain/ports/events/event-aggregates.ts';
import { slices } from '#domain/slices.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { type Filters, type Grouping, isTimed } from '#features/questions/rules/query.ts';
import { countRow, NONE, wholeRow } from '#features/questions/rules/result.ts';
import type { CountedMetric, QueryAsking } from './asking.ts';
import { foldServices, type Sum, typesOf } from './fold.ts';
import { labelled } from './labels.ts';
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

/** Groups that began in the range. */
const groupsIn = ({ tenant, ports }: QueryAsking, range: Range | null): Promise<Walked<Group>> =>
  walkNewest(
    (page) =>
      ports.correlation.groups(tenant, range === null ? {} : { to: range.to - 1 }, {
        sort: 'first',
        order: 'desc',
        ...page,
      }),
    range?.from ?? 0,
    ({ first }) => first,
    MOST,
  );

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
  const listed = await listedOf(asking, groups);
  const statuses = new Map(listed.map(({ group, state }) => [group.id, SAID[state.status]]));
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

async function countedRows(asking: QueryAsking, grouping: Grouping, groups: readonly Group[]) {
  const rows = await labelled(asking, grouping, await sumsBy(asking, groups, grouping));
  return rows.map(({ key, label, count }) => countRow(key, count, label));
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
  const filter = { correlationIds: [...standing.keys()] };
  const read = (page: PartRequest) => ports.events.part(tenant, filter, { sort: 'timestamp', order: 'asc', ...page });
  for await (const events of standing.size === 0 ? [] : pagesOf(CHUNK, read))
    for (const event of events) {
      const { correlationId, status, resolvedAt, lastOccurrence } = event;
      if (isChange(event)) continue;
      const id = standing.get(correlationId ?? '') ?? '';
      const before = ends.get(id);
      if (status === 'open' || status === 'acknowledged') ends.set(id, null);
      else if (before !== null) ends.set(id, Math.max(before ?? 0, resolvedAt ?? lastOccurrence));
    }
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
  if (asked.isOfDuration) return meanDurations(asking, groups, groupBy, truncated);
  const whole = { total: groups.length, count: groups.length, truncated };
  if (groupBy === null) return { ...whole, rows: [wholeRow(groups.length, groups.length)] };
  if (isTimed(groupBy)) {
    const times = groups.map(({ first }) => first);
    return { ...whole, rows: countOverTime(times, groupBy, { range, now: asking.receivedAt, zone: asking.zone }) };
  }
  if (groupBy === 'status') return { ...whole, rows: countBy(groups, (group) => [statusOf(group)]) };
  if (groupBy !== 'severity') return { ...whole, rows: await countedRows(asking, groupBy, groups) };
  const severities = await valuesOf(asking, groups, {}, 'severity');
  return { ...whole, rows: countBy(groups, ({ id }) => [worst(severities.get(id) ?? [])]) };
}
