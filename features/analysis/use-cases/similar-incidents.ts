import type { TimedContext } from '#application/access/context.ts';
import { membersOf } from '#application/events/group-membership.ts';
import { type ListedGroup, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { subjectOf } from '#features/analysis/rules/cite.ts';
import {
  ALIKE_FROM,
  type IncidentShape,
  likenessOf,
  MOST_SIMILAR,
  type SimilarIncident,
} from '#features/analysis/rules/similar.ts';

const MEMBERS = 50;
const SIGNATURES = 30;
/** Earlier events of each problem, and of all together. */
const PAST = 20;
const EVENTS = 300;
/** Groups that are compared, those with the most problems in common. */
const COMPARED = 12;
const LOOK_BACK_MS = 400 * 86_400_000;

const idsOf = (events: readonly Event[]): ReadonlySet<string> => new Set(events.flatMap(({ ci }) => ci?.id ?? []));
const signaturesOf = (events: readonly Event[]): ReadonlySet<string> =>
  new Set(events.map(({ signature }) => signature));

const shapeOf = (events: readonly Event[], { group, state }: ListedGroup): IncidentShape => ({
  signatures: signaturesOf(events),
  cis: new Set([...state.cis.all, ...idsOf(events)]),
  services: new Set(state.names.service.names),
  size: group.size,
});

/** Earlier events with the problems of the group, by the group that they are in. */
async function earlierGroups(
  { tenant, ports }: TimedContext,
  group: Group,
  members: readonly Event[],
): Promise<Map<string, Event[]>> {
  const signatures = [...signaturesOf(members.filter(({ usual }) => !usual))].slice(0, SIGNATURES);
  if (signatures.length === 0) return new Map();
  const range = { from: group.first - LOOK_BACK_MS, to: group.first - 1, limit: PAST };
  const past = await ports.eventHistory.history(tenant, signatures, range);
  const own = new Set(members.map(({ id }) => id));
  const ids = [...past.values()].flatMap((all) => all.map(({ id }) => id)).filter((id) => !own.has(id));
  const events = await ports.events.getMany(tenant, ids.slice(0, EVENTS));
  const found = Map.groupBy(events, ({ correlationId }) => correlationId ?? '');
  for (const id of ['', group.id, ...group.aliases]) found.delete(id);
  return found;
}

function incidentOf(row: ListedGroup, events: readonly Event[], likeness: number): SimilarIncident {
  const { group, care } = row;
  const leading = events.find(({ id }) => id === leadingEventOf(row));
  const first = leading ?? events.toSorted((a, b) => a.firstOccurrence - b.firstOccurrence)[0];
  const noted = [...(leading ? [leading] : []), ...events].find(({ resolutionNotes }) => resolutionNotes);
  const ended = events.map(({ resolvedAt }) => resolvedAt);
  const last = ended.includes(undefined) ? null : Math.max(...ended.map((at) => at ?? 0));
  return {
    groupId: group.id,
    likeness,
    at: group.first,
    title: first?.title ?? '',
    subject: first === undefined ? '' : subjectOf(first),
    durationMs: last === null ? null : Math.max(0, last - group.first),
    by: care.verdict?.by.name ?? noted?.resolvedBy?.name ?? leading?.resolvedBy?.name ?? null,
    note: care.verdict?.note ?? noted?.resolutionNotes ?? null,
  };
}

/** The three earlier incidents most like a group, with how they ended; none for a group that is not there. */
export async function similarIncidents(asking: TimedContext, groupId: string): Promise<SimilarIncident[]> {
  const { tenant, ports } = asking;
  const row = await ports.groupRows.get(tenant, groupId);
  if (row === null) return [];
  const members = await membersOf(ports, tenant, row.group, MEMBERS);
  const earlier = await earlierGroups(asking, row.group, members);
  const shape = shapeOf(members, row);
  const most = [...earlier].sort((a, b) => signaturesOf(b[1]).size - signaturesOf(a[1]).size).slice(0, COMPARED);
  const found: SimilarIncident[] = [];
  for (const [id, events] of most) {
    const other = await ports.groupRows.get(tenant, id);
    if (other === null) continue;
    const leading = await ports.events.getMany(
      tenant,
      [leadingEventOf(other)].flatMap((one) => one ?? []),
    );
    const all = [...new Map([...leading, ...events].map((event) => [event.id, event])).values()];
    const likeness = likenessOf(shape, shapeOf(all, other), row.group.first - other.group.first);
    if (likeness >= ALIKE_FROM) found.push(incidentOf(other, all, likeness));
  }
  return found.sort((a, b) => b.likeness - a.likeness).slice(0, MOST_SIMILAR);
}
