import { findGroup } from '#application/groups/find-group.ts';
import { hitsOfRows } from '#application/groups/services-of-causes.ts';
import { type Event, eventIdOf, parseEventId } from '#domain/event/event.ts';
import { assigneeName } from '#domain/event/event-words.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import { FLAPPING } from '#domain/event/lifecycle/accumulated.ts';
import { invalid } from '#domain/fault.ts';
import { changedFields, type FieldChange } from '#domain/topology/ci-diff.ts';
import { clockTime, factsOf, freeTexts } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { type Filters, given } from '#features/questions/rules/query.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { assigneeOf, personNames } from '#features/questions/use-cases/queries/people.ts';
import { resolveFilters } from '#features/questions/use-cases/queries/resolve.ts';
import { iso } from '#schemas/http/time.ts';
import { type Asking, item, listOf, type QuestionTool, queryOf, rangeOf } from '../tool.ts';
import { ciOf, cisOf } from './cis.ts';

export const placeOf = ({ ci, hostname }: Pick<Event, 'ci' | 'hostname'>): string | null =>
  ci?.name ?? hostname ?? null;
export const beginOf = ({ problemSince, firstOccurrence }: Event): string => iso(problemSince ?? firstOccurrence);
/** Begin of the problem; end, null while it lasts. */
export const spanOf = (event: Event) => ({
  from: beginOf(event),
  to: event.status === 'resolved' ? iso(event.resolvedAt ?? event.lastOccurrence) : null,
});
/** Names of the users or teams that care for it. */
export const careOf = (event: Event) => ({
  assignee: assigneeName(event),
  acknowledgedBy: event.acknowledgedBy?.name ?? null,
});

const eventRow = (event: Event) => ({
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
  // Consecutive recurrences.
  returns: event.returns ?? 0,
  signature: event.signature,
  ...careOf(event),
});
export type ToolEventRow = Readonly<ReturnType<typeof eventRow>> & {
  /** Its incident; only in the first rows of a list. */
  readonly group?: { readonly size: number; readonly services: readonly string[] };
};

/** Number of rows that have the size of their group and its affected services. */
const TOLD = 12;
async function withGroups(asking: Asking, rows: readonly ToolEventRow[]): Promise<readonly ToolEventRow[]> {
  const ids = [...new Set(rows.slice(0, TOLD).flatMap(({ groupId }) => groupId ?? []))];
  const maySee = asking.caller.permissions.has('services.read');
  const sizes = ids.map(async (id) => {
    const row = await asking.ports.groupRows.get(asking.tenant, id);
    const hits = row !== null && maySee ? await hitsOfRows(asking, [row], () => undefined) : null;
    const ever = hits?.get(row?.group.id ?? '')?.ever ?? [];
    return [id, row && { size: row.group.size, services: ever.map(({ service }) => service.name) }] as const;
  });
  const groups = new Map(await Promise.all(sizes));
  return rows.map((row) => {
    const group = groups.get(row.groupId ?? '');
    return group == null ? row : { ...row, group };
  });
}

const NAMES = 8;
const eventItem = (row: ToolEventRow): NewItem => {
  const { eventId, title, severity, status, occurrences, from, to, place, groupId, group, acknowledgedBy } = row;
  return item(
    'event',
    eventId,
    title,
    factsOf({ severity, status, occurrences, first: from, ended: to }),
    freeTexts({ on: place }),
    factsOf({ group: groupId, 'events in group': group?.size }),
    freeTexts({
      'affected services': group?.services.slice(0, NAMES).join(', '),
      'acknowledged by': acknowledgedBy,
      assignee: to === null ? (row.assignee ?? 'none') : null,
    }),
  );
};
const tell = ({ title, place, severity, status, from }: ToolEventRow): string =>
  `"${title}"${place === null ? '' : ` on ${place}`}: ${severity}, ${status}, started ${clockTime(Date.parse(from))}.`;

const MAX_NEAR = 50;
const MAX_CIS = 1_000;
const UNRESOLVED = ['open', 'acknowledged'] as const;
const MOST = 200;
const MOST_OF_TIME = 1_000;

type EventParams = ParamsOf<typeof INPUTS.events>;

async function conditionsOf(asking: Asking, params: EventParams) {
  const [severity, source, ci_type] = [params.severity, params.source, params.type].map((one) => listOf<string>(one));
  const filters: Filters = given({ severity, source, ci_type, text: params.search });
  if (Object.keys(filters).length === 0) return {};
  const { filter, missing } = await resolveFilters(asking, filters);
  if (missing.length > 0) throw invalid('condition', `no match for ${missing.map(({ name }) => name).join(', ')}`);
  const { ciIds: ciId, severities, sources, search } = filter;
  return given({ severities, sources, search, ciId });
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
    const own = given({
      ciId,
      hosts: host === undefined ? undefined : [canonicalHost(host)],
      services: listOf(service),
      assignee,
      tags: listOf(tag),
      correlationIds: group === undefined ? undefined : await namesOfGroup(asking, group),
      statuses,
      from: range?.from,
      to: range === null ? undefined : Math.max(range.from, range.to - 1),
    });
    const page = { ...ORDERS[sort], limit: range === null ? MOST : MOST_OF_TIME };
    const filter = { ...(await conditionsOf(asking, params)), ...own };
    const { items, total } = await ports.events.find(tenant, filter, page);
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

/** Changes that monitors and pipelines reported; `cis` limits them to these. */
export async function toldChanges(
  { tenant, ports }: Pick<Asking, 'tenant' | 'ports'>,
  range: Range,
  cis: readonly CiName[] | null,
): Promise<ToolChangeRow[]> {
  const ids = cis && new Set(cis.map(({ id }) => id));
  const filter = { changes: true, ...range, ...(ids && { ciIds: [...ids] }) } as const;
  const bySignature = { measure: 'events', by: ['signature'], limit: 500 } as const;
  const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, bySignature);
  const signatures = buckets.flatMap(({ keys: [key] }) => key ?? []);
  if (signatures.length === 0) return [];
  const past = await ports.eventHistory.history(tenant, signatures, { from: range.from, to: range.to, limit: 20 });
  const eventIds = [...past.values()].flat().map(({ id }) => id);
  return (await ports.events.getMany(tenant, eventIds.slice(0, 500)))
    .filter((event) => isChange(event) && (ids === null || (event.ci !== null && ids.has(event.ci.id))))
    .map(
      (event): ToolChangeRow => ({
        at: iso(event.firstOccurrence),
        title: event.title,
        place: placeOf(event),
        ciId: event.ci?.id ?? null,
        eventId: eventIdOf(event.id),
        by: event.resolvedBy?.name ?? null,
        source: event.source,
      }),
    );
}

/** `attributes.firmware 10.1 → 10.2`; a long value is left out. */
const fieldText = ({ field, before, after }: FieldChange): string => {
  const [from, to] = [before, after].map((value) => (value === undefined || value === null ? 'none' : String(value)));
  const isShort = [from, to].every(
    (text) => text !== undefined && text.length <= MAX_VALUE && !text.includes('[object'),
  );
  return isShort ? `${field} ${from} → ${to}` : field;
};
const MAX_VALUE = 40;
const howChanged = (before: unknown, after: unknown): string =>
  before === null ? 'created in the CMDB' : after === null ? 'removed from the CMDB' : 'edited in the CMDB';

async function cmdbChanges(
  { tenant, ports, caller }: Asking,
  range: Range,
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
  const inTime = items.filter(({ at }) => at >= range.from && at < range.to);
  return inTime.flatMap((change): ToolChangeRow[] => {
    const { at, before, after } = change;
    const how = howChanged(before, after);
    const rowOf = (title: string, id: string, by: string | null): ToolChangeRow[] =>
      own.has(id) ? [{ at: iso(at), title, place: nameOf(id), ciId: id, eventId: null, by, source: null }] : [];
    if (change.of === 'relationship') {
      const edge = change.after ?? change.before;
      const end = [edge?.source, edge?.target].find((id) => own.has(id ?? ''));
      return edge == null
        ? []
        : rowOf(`relationship ${nameOf(edge.source)} ${edge.type} ${nameOf(edge.target)} ${how}`, end ?? '', null);
    }
    const fields = change.before && change.after ? changedFields(change.before, change.after).map(fieldText) : [];
    const title = fields.length === 0 ? how : `${how} (${fields.slice(0, 10).join(', ')})`;
    const by = change.by?.startsWith('import:') ? null : (people.get(change.by ?? '') ?? change.by);
    return rowOf(title, (change.after ?? change.before)?.id ?? '', by);
  });
}

const HOUR_MS = 3_600_000;

/** The CI and its neighbors; null: all CIs. */
async function around({ tenant, ports, caller }: Asking, ci: CiName | null, hops: number) {
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
      ? item('ci', ciId ?? '', place ?? '', factsOf({ changed: at }))
      : item('event', eventId, title, freeTexts({ title, on: place }), factsOf({ at })),
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
