import { findGroup } from '#application/groups/find-group.ts';
import { hitsOfRows } from '#application/groups/services-of-causes.ts';
import { type Event, eventIdOf, parseEventId, type Severity, type Status } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import { FLAPPING } from '#domain/event/lifecycle/accumulated.ts';
import { invalid } from '#domain/fault.ts';
import { changedFields } from '#domain/topology/ci-diff.ts';
import { clockTime, factsOf, freeTexts } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import type { Filters } from '#features/questions/rules/query.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { assigneeOf, personNames } from '#features/questions/use-cases/queries/people.ts';
import { resolveFilters } from '#features/questions/use-cases/queries/resolve.ts';
import { type Asking, listOf, type QuestionTool, queryOf, rangeOf } from '#features/questions/use-cases/tools/tool.ts';
import { iso } from '#schemas/http/time.ts';
import { ciOf, cisOf } from './cis.ts';

export interface ToolEventRow {
  readonly eventId: string;
  readonly title: string;
  readonly severity: Severity;
  readonly status: Status;
  readonly source: string;
  readonly ciId: string | null;
  readonly place: string | null;
  readonly occurrences: number;
  readonly from: string;
  readonly to: string | null;
  readonly groupId: string | null;
  readonly isChange: boolean;
  readonly isUsual: boolean;
  readonly isFlapping: boolean;
  /** Number of consecutive recurrences. */
  readonly returns: number;
  readonly signature: string;
  readonly assignee: string | null;
  readonly acknowledgedBy: string | null;
  /** Its incident; only in the first rows of a list. */
  readonly group?: { readonly size: number; readonly services: readonly string[] };
}

export const placeOf = ({ ci, hostname }: Pick<Event, 'ci' | 'hostname'>): string | null =>
  ci?.name ?? hostname ?? null;
export const beginOf = ({ problemSince, firstOccurrence }: Event): string => iso(problemSince ?? firstOccurrence);
/** Begin of the problem; end, null while it lasts. */
export const spanOf = (event: Event) => ({
  from: beginOf(event),
  to: event.status === 'resolved' ? iso(event.resolvedAt ?? event.lastOccurrence) : null,
});
/** Names of the users or teams that care for it. */
export const careOf = ({ assignedTo, assignedTeam, acknowledgedBy }: Event) => ({
  assignee: assignedTo?.name ?? assignedTeam?.name ?? null,
  acknowledgedBy: acknowledgedBy?.name ?? null,
});

const eventRow = (event: Event): ToolEventRow => ({
  eventId: eventIdOf(event.id),
  title: event.title,
  severity: event.severity,
  status: event.status,
  source: event.source,
  ciId: event.ci?.id ?? null,
  place: placeOf(event),
  occurrences: event.count,
  ...spanOf(event),
  groupId: event.correlationId,
  isChange: isChange(event),
  isUsual: event.usual,
  isFlapping: event.tags.includes(FLAPPING),
  returns: event.returns ?? 0,
  signature: event.signature,
  ...careOf(event),
});

/** Number of rows that have the size of their group and its affected services. */
const TOLD = 12;
async function withGroups(asking: Asking, rows: readonly ToolEventRow[]): Promise<readonly ToolEventRow[]> {
  const ids = [...new Set(rows.slice(0, TOLD).flatMap(({ groupId }) => groupId ?? []))];
  const maySee = asking.caller.permissions.has('services.read');
  const found = await Promise.all(
    ids.map(async (id) => {
      const row = await asking.ports.groupRows.get(asking.tenant, id);
      if (row === null) return [];
      const hits = maySee ? await hitsOfRows(asking, [row], () => undefined) : null;
      const ever = hits?.get(row.group.id)?.ever ?? [];
      return [[id, { size: row.group.size, services: ever.map(({ service }) => service.name) }] as const];
    }),
  );
  const groups = new Map(found.flat());
  return rows.map((row) => {
    const group = groups.get(row.groupId ?? '');
    return group === undefined ? row : { ...row, group };
  });
}

const NAMES = 8;
const eventItem = (row: ToolEventRow): NewItem => ({
  kind: 'event',
  id: row.eventId,
  label: row.title,
  facts: [
    ...factsOf({
      severity: row.severity,
      status: row.status,
      occurrences: row.occurrences,
      first: row.from,
      ended: row.to,
    }),
    ...freeTexts({ on: row.place }),
    ...factsOf({ group: row.groupId, 'events in group': row.group?.size }),
    ...freeTexts({
      'affected services': row.group?.services.slice(0, NAMES).join(', '),
      'acknowledged by': row.acknowledgedBy,
      assignee: row.to === null ? (row.assignee ?? 'none') : null,
    }),
  ],
});
const tell = ({ title, place, severity, status, from }: ToolEventRow): string =>
  `"${title}"${place === null ? '' : ` on ${place}`}: ${severity}, ${status}, started ${clockTime(Date.parse(from))}.`;

const MAX_NEAR = 50;
const MAX_CIS = 1_000;
const UNRESOLVED = ['open', 'acknowledged'] as const;
const MOST = 200;
const MOST_OF_TIME = 1_000;

type EventParams = ParamsOf<typeof INPUTS.events>;

/** The filter of a call. Throws Fault `invalid` for a name that nothing has. */
async function conditionsOf(asking: Asking, { source, type, severity, search }: EventParams) {
  const filters = {
    ...(severity !== undefined && { severity: listOf(severity) }),
    ...(source !== undefined && { source: listOf(source) }),
    ...(type !== undefined && { ci_type: listOf(type) }),
    ...(search !== undefined && { text: search }),
  };
  if (Object.keys(filters).length === 0) return {};
  const { filter, missing } = await resolveFilters(asking, filters as Filters);
  if (missing.length > 0) throw invalid('condition', `no match for ${missing.map(({ name }) => name).join(', ')}`);
  const { ciIds, severities, sources } = filter;
  return {
    ...(severities && { severities }),
    ...(sources && { sources }),
    ...(filter.search !== undefined && { search: filter.search }),
    ...(ciIds && { ciId: ciIds }),
  };
}

/** All names of a group, whose merged members have earlier ones. */
async function namesOfGroup({ ports, tenant }: Asking, id: string): Promise<readonly string[]> {
  const { group } = await findGroup(ports, tenant, id);
  return [group.id, ...group.aliases];
}

/** Pages show events of one CI or of all. */
const oneOf = (ci: EventParams['ci']): string | undefined => (typeof ci === 'string' ? ci : undefined);

const ORDERS = {
  severity: { sort: 'severity', order: 'desc' },
  oldest: { sort: 'timestamp', order: 'asc' },
  newest: { sort: 'timestamp', order: 'desc' },
  repeats: { sort: 'occurrenceCount', order: 'desc' },
} as const;

/** Lists open events without a time or status, otherwise all events of the time; the most severe first. */
export const events: QuestionTool<EventParams, ToolEventRow> = {
  name: 'find_events',
  title: 'Find events',
  description:
    'Finds events, most severe first, by words, severity, host, service, CI, group and time. Without status, host, group and time_range: open ones.',
  input: INPUTS.events,
  chat: { name: 'search-events', params: { ci: 'ciId', time_range: 'timeRange', search: 'text' } },
  permission: 'events.read',
  async run(asking, params) {
    const { tenant, ports } = asking;
    const { host, service, group, tag, sort = 'severity' } = params;
    const assignee = await assigneeOf(asking, params.assignee);
    const range = rangeOf(asking, params.time_range);
    const ciId = (await cisOf(asking, 'ci', params.ci))?.map(({ id }) => id);
    const isOfNow = range === null && host === undefined && group === undefined;
    const statuses = listOf(params.status) ?? (isOfNow ? UNRESOLVED : undefined);
    const filter = {
      ...(await conditionsOf(asking, params)),
      ...(ciId !== undefined && { ciId }),
      ...(host !== undefined && { hosts: [canonicalHost(host)] }),
      ...(service !== undefined && { services: [service] }),
      ...(assignee !== undefined && { assignee }),
      ...(tag !== undefined && { tags: [tag] }),
      ...(group !== undefined && { correlationIds: await namesOfGroup(asking, group) }),
      ...(statuses && { statuses }),
      ...(range !== null && { from: range.from, to: Math.max(range.from, range.to - 1) }),
    };
    const { items, total } = await ports.events.find(tenant, filter, {
      ...ORDERS[sort],
      limit: range === null ? MOST : MOST_OF_TIME,
    });
    const rows = items.filter(({ supersededBy }) => supersededBy === undefined).map(eventRow);
    return { rows: await withGroups(asking, rows), total, ...(range !== null && { range }) };
  },
  items: (row) => [eventItem(row)],
  href: ({ ci, severity, status, source, search, time_range }) =>
    time_range === undefined
      ? `/api/events${queryOf({ ciId: oneOf(ci), severity, status: status ?? UNRESOLVED, source, search })}`
      : `/v1/events${queryOf({ ci_id: oneOf(ci), source, search })}`,
  noun: 'event',
  tell,
  none: 'No events found.',
};

export interface ToolChangeRow {
  readonly at: string;
  readonly title: string;
  readonly place: string | null;
  readonly ciId: string | null;
  /** Null: a change in the CMDB. */
  readonly eventId: string | null;
  readonly by: string | null;
  readonly source: string | null;
}
const DAY_MS = 86_400_000;

/** Deployments and changes that monitors and pipelines report as events. */
async function toldChanges(
  { tenant, ports }: Asking,
  range: { readonly from: number; readonly to: number },
  cis: readonly CiName[] | null,
): Promise<ToolChangeRow[]> {
  const ids = cis && new Set(cis.map(({ id }) => id));
  const filter = { changes: true, ...range, ...(ids && { ciIds: [...ids] }) } as const;
  const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, {
    measure: 'events',
    by: ['signature'],
    limit: 500,
  });
  const signatures = buckets.flatMap(({ keys: [key] }) => key ?? []);
  const past =
    signatures.length === 0
      ? new Map()
      : await ports.eventHistory.history(tenant, signatures, { from: range.from, to: range.to, limit: 20 });
  const eventIds: string[] = [...past.values()].flat().map(({ id }: { readonly id: string }) => id);
  const found = (await ports.events.getMany(tenant, eventIds.slice(0, 500))).filter(isChange);
  return found
    .filter(({ ci }) => ids === null || (ci !== null && ids.has(ci.id)))
    .map((event) => ({
      at: iso(event.firstOccurrence),
      title: event.title,
      place: placeOf(event),
      ciId: event.ci?.id ?? null,
      eventId: eventIdOf(event.id),
      by: event.resolvedBy?.name ?? null,
      source: event.source,
    }));
}

const HOW = ['created in the CMDB', 'edited in the CMDB', 'removed from the CMDB'] as const;
const howChanged = (before: unknown, after: unknown): string =>
  before === null ? HOW[0] : after === null ? HOW[2] : HOW[1];

/** Versions in the CMDB: of the CIs, and of relationships that have one of them as an end. */
async function cmdbChanges(
  { tenant, ports, caller }: Asking,
  range: { readonly from: number; readonly to: number },
  { ci, cis, hops }: { readonly ci: CiName | null; readonly cis: readonly CiName[] | null; readonly hops: number },
): Promise<ToolChangeRow[]> {
  if (cis === null || !caller.permissions.has('cmdb.read')) return [];
  // Relationships that are gone led to CIs that are no neighbors now.
  const around = { hops: hops + 1, ...range, limit: 20 * MAX_NEAR };
  const area = ci === null ? { ids: [] } : await ports.history.area(tenant, { ci: ci.id, ...around });
  const own = new Set(cis.map(({ id }) => id));
  const ciIds = [...new Set([...own, ...area.ids])].slice(0, MAX_CIS);
  const { items } = await ports.history.changesAmong(tenant, { ciIds, ...range }, { limit: 10 * MAX_NEAR });
  if (items.length === 0) return [];
  const people = await personNames({ ports, tenant });
  const names = await ports.history.lastNames(tenant, ciIds);
  const nameOf = (id: string): string => names.get(id) ?? id;
  return items.flatMap((change): ToolChangeRow[] => {
    const { at, before, after } = change;
    const row = { at: iso(at), eventId: null, by: null, source: null };
    const how = howChanged(before, after);
    if (at < range.from || at >= range.to) return [];
    if (change.of === 'relationship') {
      const edge = change.after ?? change.before;
      const end = [edge?.source, edge?.target].find((id) => own.has(id ?? ''));
      if (edge == null || end === undefined) return [];
      const title = `relationship ${nameOf(edge.source)} ${edge.type} ${nameOf(edge.target)} ${how}`;
      return [{ ...row, title, place: nameOf(end), ciId: end }];
    }
    const id = (change.after ?? change.before)?.id ?? '';
    if (!own.has(id)) return [];
    const fields =
      change.before && change.after ? changedFields(change.before, change.after).map(({ field }) => field) : [];
    return [
      {
        ...row,
        title: fields.length === 0 ? how : `${how} (${fields.slice(0, 10).join(', ')})`,
        place: nameOf(id),
        ciId: id,
        by: change.by?.startsWith('import:') ? null : (people.get(change.by ?? '') ?? change.by),
      },
    ];
  });
}

const HOUR_MS = 3_600_000;

/** The CI and its neighbors; null: all CIs. */
async function around(
  { tenant, ports, caller }: Asking,
  ci: CiName | null,
  hops: number,
): Promise<readonly CiName[] | null> {
  if (ci === null || hops === 0 || !caller.permissions.has('cmdb.read')) return ci && [ci];
  const { nodes } = await ports.graph.neighbourhood(tenant, ci.id, { hops, direction: 'both', limit: MAX_NEAR });
  return [ci, ...nodes.map(({ ci: id, name, type }) => ({ id, name, type }))];
}

/** CIs that changed last, of which the edits of a user are searched. */
const lastEdited = async ({ tenant, ports, caller }: Asking): Promise<readonly CiName[]> =>
  caller.permissions.has('cmdb.read')
    ? (await ports.topology.findCis(tenant, {}, { sort: 'updated_at', order: 'desc', limit: MAX_CIS })).items
    : [];

export const changes: QuestionTool<ParamsOf<typeof INPUTS.changes>, ToolChangeRow> = {
  name: 'what_changed',
  title: 'List changes',
  description:
    'Deployments and changes that events report and, near a CI or by a user, changes in the CMDB; newest first. Default: the last 7 days.',
  input: INPUTS.changes,
  permission: 'events.read',
  async run(asking, { ci: named, hops = 0, hours, by, edits = false, time_range }) {
    const ci = await ciOf(asking, 'ci', named);
    const isOfAll = by !== undefined || (edits && ci === null);
    const cis = isOfAll ? await lastEdited(asking) : await around(asking, ci, hops);
    const now = asking.receivedAt;
    const usual = { from: now - (hours === undefined ? 7 * DAY_MS : hours * HOUR_MS), to: now + 1 };
    const range = rangeOf(asking, time_range) ?? usual;
    const told = [
      ...(edits ? [] : await toldChanges(asking, range, isOfAll ? null : cis)),
      ...(await cmdbChanges(asking, range, { ci, cis, hops })),
    ].filter((row) => by === undefined || row.by?.toLowerCase() === by.toLowerCase());
    return { rows: told.sort((a, b) => b.at.localeCompare(a.at)), total: told.length, range };
  },
  items: ({ eventId, title, place, ciId, at }) => [
    eventId === null
      ? { kind: 'ci', id: ciId ?? '', label: place ?? '', facts: [{ name: 'changed', value: at }] }
      : {
          kind: 'event',
          id: eventId,
          label: title,
          facts: [...freeTexts({ title, on: place }), ...factsOf({ at })],
        },
  ],
  href: ({ ci }) => `/v1/events${queryOf({ ci_id: ci })}`,
  noun: 'change',
  tell: ({ title, place, at }) => `"${title}"${place === null ? '' : ` on ${place}`}, ${clockTime(Date.parse(at))}.`,
  none: 'No changes recorded.',
};

export interface PastRow extends ToolEventRow {
  readonly resolution: string | null;
  readonly isSameCi: boolean;
}
export const past: QuestionTool<ParamsOf<typeof INPUTS.event>, PastRow> = {
  name: 'find_similar',
  title: 'Find earlier events with the same problem',
  description: 'Earlier events with the problem of an event, on any CI, newest first, with their resolution.',
  input: INPUTS.event,
  permission: 'events.read',
  async run({ tenant, ports, receivedAt }, { event: named }) {
    const id = parseEventId(named);
    const event = id === null ? null : await ports.events.get(tenant, id);
    if (event === null) throw invalid('event', 'no event has this ID');
    const range = { from: 0, to: receivedAt, limit: 100 };
    const found = (await ports.eventHistory.history(tenant, [event.signature], range)).get(event.signature) ?? [];
    const others = found.filter((one) => one.id !== event.id && one.timestamp <= event.timestamp).map((one) => one.id);
    const rows = (await ports.events.getMany(tenant, others))
      .filter(({ supersededBy }) => supersededBy === undefined)
      .map((one) => ({
        ...eventRow(one),
        resolution: one.resolutionNotes ?? null,
        isSameCi: one.ci?.id === event.ci?.id && one.hostname === event.hostname,
      }))
      .sort((a, b) => b.from.localeCompare(a.from));
    return { rows, total: rows.length };
  },
  items: (row) => {
    const item = eventItem(row);
    return [{ ...item, facts: [...item.facts, ...freeTexts({ resolution: row.resolution })] }];
  },
  href: ({ event }) => `/api/events/${event}`,
  noun: 'event',
  tell: (row) => `${tell(row)}${row.resolution === null ? '' : ` Resolved: "${row.resolution}".`}`,
  none: 'Not seen before.',
};
