import { servicesHit } from '#application/services/services-hit.ts';
import { type Event, eventIdOf, parseEventId, type Severity, STATUSES, type Status } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import { invalid } from '#domain/fault.ts';
import { clockTime, freeText } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import { INPUTS } from '#features/questions/schemas/tool-input.ts';
import { resolveFilters } from '#features/questions/use-cases/queries/resolve.ts';
import { type Asking, type QuestionTool, queryOf, rangeOf } from '#features/questions/use-cases/tools/tool.ts';
import { iso } from '#schemas/http/time.ts';
import { ciOf } from './cis.ts';

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
  readonly signature: string;
  readonly assignee: string | null;
  readonly acknowledgedBy: string | null;
  /** Its incident; only in the first rows of a list. */
  readonly group?: { readonly size: number; readonly services: readonly string[] };
}

const eventRow = (event: Event): ToolEventRow => ({
  eventId: eventIdOf(event.id),
  title: event.title,
  severity: event.severity,
  status: event.status,
  source: event.source,
  ciId: event.ci?.id ?? null,
  place: event.ci?.name ?? event.hostname ?? null,
  occurrences: event.count,
  from: iso(event.problemSince ?? event.firstOccurrence),
  to: event.status === 'resolved' ? iso(event.resolvedAt ?? event.lastOccurrence) : null,
  groupId: event.correlationId,
  isChange: isChange(event),
  isUsual: event.usual,
  signature: event.signature,
  assignee: event.assignedTo?.name ?? event.assignedTeam?.name ?? null,
  acknowledgedBy: event.acknowledgedBy?.name ?? null,
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
      const hits = maySee ? await servicesHit(asking, new Set(row.state.cis.all)) : [];
      return [[id, { size: row.group.size, services: hits.map(({ service }) => service.name) }] as const];
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
    { name: 'severity', value: row.severity },
    { name: 'status', value: row.status },
    { name: 'occurrences', value: row.occurrences },
    { name: 'first', value: row.from },
    ...(row.to === null ? [] : [{ name: 'ended', value: row.to }]),
    ...(row.place === null ? [] : [freeText('on', row.place)]),
    ...(row.groupId === null ? [] : [{ name: 'group', value: row.groupId }]),
    ...(row.group === undefined ? [] : [{ name: 'events in group', value: row.group.size }]),
    ...(row.group === undefined || row.group.services.length === 0
      ? []
      : [freeText('affected services', row.group.services.slice(0, NAMES).join(', '))]),
    ...(row.acknowledgedBy === null ? [] : [freeText('acknowledged by', row.acknowledgedBy)]),
    ...(row.to === null ? [freeText('assignee', row.assignee ?? 'none')] : []),
  ],
});
const tell = ({ title, place, severity, status, from }: ToolEventRow): string =>
  `"${title}"${place === null ? '' : ` on ${place}`}: ${severity}, ${status}, started ${clockTime(Date.parse(from))}.`;

const UNRESOLVED = ['open', 'acknowledged'] as const;
const MOST = 200;

/** Conditions of a call as stores take them. Throws Fault `invalid` for a name that stands for nothing. */
async function conditionsOf(asking: Asking, { source, type, severity, text }: Parameters<typeof events.run>[1]) {
  const filters = {
    ...(severity !== undefined && { severity: [severity] }),
    ...(source !== undefined && { source: source.split(',') }),
    ...(type !== undefined && { ci_type: type.split(',') }),
    ...(text !== undefined && { text }),
  };
  if (Object.keys(filters).length === 0) return {};
  const { filter, missing } = await resolveFilters(asking, filters);
  if (missing.length > 0) throw invalid('condition', `no match for ${missing.map(({ name }) => name).join(', ')}`);
  const { ciIds, severities, sources, search } = filter;
  return {
    ...(severities && { severities }),
    ...(sources && { sources }),
    ...(search !== undefined && { search }),
    ...(ciIds && { ciId: ciIds }),
  };
}

const statusesOf = (said: string | undefined): readonly Status[] | undefined =>
  said === undefined ? undefined : STATUSES.filter((one) => said.split(',').includes(one));

/** Without a time or status what is on, the worst first; else what was on in the time, the worst first. */
export const events: QuestionTool<
  {
    ciId?: string | undefined;
    severity?: Severity | undefined;
    timeRange?: string | undefined;
    status?: string | undefined;
    source?: string | undefined;
    type?: string | undefined;
    text?: string | undefined;
    host?: string | undefined;
  },
  ToolEventRow
> = {
  name: 'search-events',
  description: 'Events, the worst first; without timeRange the open ones',
  input: INPUTS.events,
  permission: 'events.read',
  async run(asking, params) {
    const { tenant, ports } = asking;
    const range = rangeOf(asking, params.timeRange);
    const ci = await ciOf(asking, 'ciId', params.ciId);
    const statuses =
      statusesOf(params.status) ?? (range === null && params.host === undefined ? UNRESOLVED : undefined);
    const filter = {
      ...(await conditionsOf(asking, params)),
      ...(ci !== null && { ciId: ci.id }),
      ...(params.host !== undefined && { hosts: [canonicalHost(params.host)] }),
      ...(statuses && { statuses }),
      ...(range !== null && { from: range.from, to: Math.max(range.from, range.to - 1) }),
    };
    const page = { sort: 'severity', order: 'desc', limit: MOST } as const;
    const { items, total } = await ports.events.find(tenant, filter, page);
    const rows = items.filter(({ supersededBy }) => supersededBy === undefined).map(eventRow);
    return { rows: await withGroups(asking, rows), total, ...(range !== null && { range }) };
  },
  items: (row) => [eventItem(row)],
  href: ({ ciId, severity, status, source, text, timeRange }) =>
    timeRange === undefined
      ? `/api/events${queryOf({ ciId, severity, status: status ?? UNRESOLVED.join(','), source, search: text })}`
      : `/v1/events${queryOf({ ci_id: ciId, source, search: text })}`,
  tell,
  none: 'No events found.',
};

export interface ToolChangeRow {
  readonly at: string;
  readonly title: string;
  readonly place: string | null;
  readonly ciId: string | null;
  /** Null: the CMDB tells it. */
  readonly eventId: string | null;
  readonly by: string | null;
  readonly source: string | null;
}
const DAY_MS = 86_400_000;

/** Deployments and changes that monitors and pipelines tell of. */
async function toldChanges(
  { tenant, ports }: Asking,
  range: { readonly from: number; readonly to: number },
  ciId: string | null,
): Promise<ToolChangeRow[]> {
  const filter = { changes: true, ...range, ...(ciId !== null && { ciIds: [ciId] }) } as const;
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
  const ids: string[] = [...past.values()].flat().map(({ id }: { readonly id: string }) => id);
  const found = (await ports.events.getMany(tenant, ids.slice(0, 500))).filter(isChange);
  return found
    .filter(({ ci }) => ciId === null || ci?.id === ciId)
    .map((event) => ({
      at: iso(event.firstOccurrence),
      title: event.title,
      place: event.ci?.name ?? event.hostname ?? null,
      ciId: event.ci?.id ?? null,
      eventId: eventIdOf(event.id),
      by: event.resolvedBy?.name ?? null,
      source: event.source,
    }));
}

/** Of one CI also what the CMDB says. */
async function cmdbChanges(
  { tenant, ports, caller }: Asking,
  range: { readonly from: number; readonly to: number },
  ci: { readonly id: string; readonly name: string } | null,
): Promise<ToolChangeRow[]> {
  if (ci === null || !caller.permissions.has('cmdb.read')) return [];
  const { items } = await ports.history.changes(tenant, ci.id, { limit: 20 });
  return items
    .filter(({ at }) => at >= range.from && at < range.to)
    .map(({ at, by, before, after }) => ({
      at: iso(at),
      title: before === null ? 'created in the CMDB' : after === null ? 'removed from the CMDB' : 'edited in the CMDB',
      place: ci.name,
      ciId: ci.id,
      eventId: null,
      by: by?.startsWith('import:') ? null : by,
      source: null,
    }));
}

export const changes: QuestionTool<{ ciId?: string | undefined; timeRange?: string | undefined }, ToolChangeRow> = {
  name: 'changes',
  description: 'Deployments and changes, the newest first; default: the last 7 days',
  input: INPUTS.changes,
  permission: 'events.read',
  async run(asking, { ciId, timeRange }) {
    const ci = await ciOf(asking, 'ciId', ciId);
    const now = asking.receivedAt;
    const range = rangeOf(asking, timeRange) ?? { from: now - 7 * DAY_MS, to: now + 1 };
    const told = [...(await toldChanges(asking, range, ci?.id ?? null)), ...(await cmdbChanges(asking, range, ci))];
    return { rows: told.sort((a, b) => b.at.localeCompare(a.at)), total: told.length, range };
  },
  items: ({ eventId, title, place, ciId, at }) => [
    eventId === null
      ? { kind: 'ci', id: ciId ?? '', label: place ?? '', facts: [{ name: 'changed', value: at }] }
      : {
          kind: 'event',
          id: eventId,
          label: title,
          facts: [
            freeText('title', title),
            ...(place === null ? [] : [freeText('on', place)]),
            { name: 'at', value: at },
          ],
        },
  ],
  href: ({ ciId }) => `/v1/events${queryOf({ ci_id: ciId })}`,
  tell: ({ title, place, at }) => `"${title}"${place === null ? '' : ` on ${place}`}, ${clockTime(Date.parse(at))}.`,
  none: 'No changes recorded.',
};

export interface PastRow extends ToolEventRow {
  readonly resolution: string | null;
  readonly isSameCi: boolean;
}
/** Earlier occurrences of the same complaint, the newest first. */
export const past: QuestionTool<{ eventId: string }, PastRow> = {
  name: 'past',
  description: 'Earlier occurrences of the problem of an event, with their resolution',
  input: INPUTS.past,
  permission: 'events.read',
  async run({ tenant, ports, receivedAt }, { eventId }) {
    const id = parseEventId(eventId);
    const event = id === null ? null : await ports.events.get(tenant, id);
    if (event === null) throw invalid('eventId', 'no event has this id');
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
    return [
      row.resolution === null ? item : { ...item, facts: [...item.facts, freeText('resolution', row.resolution)] },
    ];
  },
  href: ({ eventId }) => `/api/events/${eventId}`,
  tell: (row) => `${tell(row)}${row.resolution === null ? '' : ` Resolved: "${row.resolution}".`}`,
  none: 'Not seen before.',
};
