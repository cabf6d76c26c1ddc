import { requirePermission } from '#application/access/require-permission.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, eventIdOf, type Status } from '#domain/event/event.ts';
import { invalid } from '#domain/fault.ts';
import { type EventToolRow, MAX_TOOL_ROWS, type ToolParams } from '#features/questions/rules/chat/tools.ts';
import { iso } from '#schemas/http/time.ts';
import { conditionsOf } from './conditions.ts';
import type { ChatAsking } from './context.ts';
import { ciOf, rangeOf, type ToolResult } from './tool-result.ts';

const UNRESOLVED = ['open', 'acknowledged'] as const;
const WORST = { sort: 'severity', order: 'desc', limit: MAX_TOOL_ROWS } as const;
const NEWEST = { sort: 'lastOccurrence', order: 'desc', limit: MAX_TOOL_ROWS } as const;

interface Placed {
  readonly groups: ReadonlyMap<string, Group>;
  readonly causes: ReadonlyMap<string, Event>;
}

/** Groups of the events, and the event that probably caused each. */
async function placesOf({ tenant, ports }: ChatAsking, events: readonly Event[]): Promise<Placed> {
  const ids = [...new Set(events.flatMap(({ correlationId }) => correlationId ?? []))];
  const found = await Promise.all(ids.map(async (id) => [id, await ports.correlation.group(tenant, id)] as const));
  const groups = new Map(found.flatMap(([id, group]) => (group === null ? [] : [[id, group] as const])));
  const causeIds = [...new Set([...groups.values()].flatMap(({ candidate }) => candidate?.eventId ?? []))];
  const causes = causeIds.length === 0 ? [] : await ports.events.getMany(tenant, causeIds);
  return { groups, causes: new Map(causes.map((event) => [event.id, event])) };
}

function causeOf({ correlationId }: Event, { groups, causes }: Placed): EventToolRow['cause'] {
  const candidate = groups.get(correlationId ?? '')?.candidate;
  const event = causes.get(candidate?.eventId ?? '');
  if (candidate === null || candidate === undefined || event === undefined) return null;
  const { id, title, ci } = event;
  return { eventId: eventIdOf(id), title, ciName: ci?.name ?? null, confidence: candidate.confidence };
}

const eventRow = (event: Event, placed: Placed): EventToolRow => ({
  eventId: eventIdOf(event.id),
  title: event.title,
  severity: event.severity,
  status: event.status,
  ciId: event.ci?.id ?? null,
  ciName: event.ci?.name ?? null,
  ciType: event.ci?.type ?? null,
  hostname: event.hostname ?? null,
  occurrences: event.count,
  firstOccurrence: iso(event.firstOccurrence),
  lastOccurrence: iso(event.lastOccurrence),
  groupId: groupIdOf(event, placed),
  cause: causeOf(event, placed),
});
/** Of a group that was merged, the id that stands for it now. */
const groupIdOf = ({ correlationId }: Event, { groups }: Placed): string | null =>
  correlationId === null ? null : (groups.get(correlationId)?.id ?? correlationId);

/** The group of a parameter; null when it is not given. Throws Fault `invalid` when there is none. */
async function groupOf({ tenant, ports }: ChatAsking, id: string | undefined): Promise<Group | null> {
  if (id === undefined) return null;
  const group = await ports.correlation.group(tenant, id);
  if (group === null) throw invalid('groupId', 'no group has this id');
  return group;
}

const isUnresolved = (status: Status): boolean => UNRESOLVED.some((one) => one === status);

/**
 * Without a range or status what is open or acknowledged, the worst first; else all events that were on in the range or have the status, the
 * newest first unless some of them are unresolved.
 */
export async function searchEvents(
  asking: ChatAsking,
  params: ToolParams['search-events'],
): Promise<ToolResult<'search-events'>> {
  requirePermission(asking, 'events.read');
  const { tenant, ports } = asking;
  const range = rangeOf(asking, params.timeRange);
  const ci = await ciOf(asking, 'ciId', params.ciId);
  const { severities, statuses, sources, search, ciIds } = await conditionsOf(asking, params);
  const group = await groupOf(asking, params.groupId);
  const onCis = ci === null ? ciIds : [ci.id].filter((id) => ciIds?.includes(id) ?? true);
  const filter = {
    ...(severities && { severities }),
    ...(sources && { sources }),
    ...(search !== undefined && { search }),
    ...(statuses && { statuses }),
    ...(onCis && { ciId: onCis }),
    ...(group !== null && { correlationIds: [group.id, ...group.aliases] }),
    ...(range === null
      ? group === null && { statuses: statuses ?? UNRESOLVED }
      : { from: range.from, to: Math.max(range.from, range.to - 1) }),
  };
  const isOver = range !== null || group !== null || (statuses !== undefined && !statuses.some(isUnresolved));
  const { items, total } = await ports.events.find(tenant, filter, isOver ? NEWEST : WORST);
  const placed = await placesOf(asking, items);
  return { rows: items.map((event) => eventRow(event, placed)), total, ...(range !== null && { range }) };
}
