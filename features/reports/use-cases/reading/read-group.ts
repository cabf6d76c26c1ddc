import { membersOf } from '#application/events/group-membership.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { type ShownGroup, showGroup } from '#application/groups/show-group.ts';
import { timelineOf } from '#application/groups/timeline.ts';
import type { GroupTimelineEntry } from '#application/groups/timeline-entry.ts';
import { aiSettings, correlationSettings } from '#application/records/tenant-settings.ts';
import { countOn } from '#domain/correlation/grouping/group-state.ts';
import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import type { Event } from '#domain/event/event.ts';
import { assigneeName, eventWords } from '#domain/event/event-words.ts';
import type {
  GroupMomentRow,
  GroupReportRead,
  ImpactedService,
  ReportedGroup,
} from '#features/reports/rules/templates/group-facts.ts';
import { coveredMs } from '#features/reports/rules/templates/impact-time.ts';
import { goOn, type ReportReading } from './reading.ts';

/** Maximum number of members and of timeline entries. */
const MEMBERS = 1_000;
const MOMENTS = 500;

/** Returns the requested group, or the newest of the range; null: none. */
async function groupId({ asking, chosen }: ReportReading): Promise<string | null> {
  const { ports, tenant } = asking;
  if (chosen.group !== undefined) return (await findGroup(ports, tenant, chosen.group)).group.id;
  const { from, to } = chosen.range;
  const { items } = await ports.groupRows.find(tenant, { from, to }, { sort: 'first', order: 'desc', limit: 1 });
  return items[0]?.group.id ?? null;
}

const KNOWN_BY: Readonly<Partial<Record<GroupTimelineEntry['kind'], string>>> = {
  founded: 'Monitoring',
  joined: 'Monitoring',
  status: 'Monitoring',
  topology: 'CMDB',
};

const momentRow = ({ at, kind, by, text }: GroupTimelineEntry): GroupMomentRow => ({
  at,
  by: by?.name ?? KNOWN_BY[kind] ?? 'Faultline',
  text,
});

/** A service is affected while a component has an open event, or while the root cause is open. */
const impactOf = (
  shown: ShownGroup,
  members: readonly Event[],
  now: number,
  { service, components, impact }: ShownGroup['hit']['ever'][number],
): ImpactedService => {
  const own = new Set(components);
  const touches = ({ id, ci }: Event): boolean => (ci !== null && own.has(ci.id)) || id === shown.root?.id;
  const spans = members.filter(touches).map((one) => ({ from: one.firstOccurrence, to: one.resolvedAt ?? now }));
  return {
    name: service.name,
    criticality: service.criticality,
    isDown: impact === 'full_outage',
    isHitNow: shown.hit.now.some((one) => one.service.id === service.id),
    impactMs: coveredMs(spans),
  };
};

/** Returns the first acknowledgment of the group or of one of its members. */
const acknowledgedIn = ({ row: { care } }: ShownGroup, members: readonly Event[]) => {
  const first = members
    .flatMap(({ acknowledgedAt: at, acknowledgedBy: by }) => (at === undefined ? [] : [{ at, by: by?.name ?? null }]))
    .sort((a, b) => a.at - b.at)[0];
  const own = care.acknowledged;
  if (own !== undefined && (first === undefined || own.at < first.at)) return { at: own.at, by: own.by?.name ?? null };
  return first ?? null;
};

const causesOf = async ({ asking }: ReportReading, { row, root, events, whole }: ShownGroup) => {
  const { candidate } = row.group;
  const { abstainBelow } = await aiSettings(asking.ports.records, asking.tenant);
  const told = (event: Event): string => eventWords(event);
  const isSure = candidate !== null && root !== null && candidate.confidence >= abstainBelow;
  const where = whole === null ? '' : `, reported by components of ${whole.name}`;
  const [second] = candidate?.alternatives ?? [];
  const rival = events.get(second?.eventId ?? '');
  return {
    cause: isSure ? { text: told(root) + where, confidence: candidate.confidence } : null,
    rival:
      candidate === null || second === undefined || rival === undefined || candidate.score <= 0
        ? null
        : { text: told(rival), confidence: Math.max(0, Math.min(1, second.score / candidate.score)) },
  };
};

async function verdictOf({ asking }: ReportReading, { row }: ShownGroup): Promise<ReportedGroup['verdict']> {
  const { verdict } = row.care;
  if (verdict === undefined) return null;
  const root =
    verdict.rootEventId === undefined ? null : await asking.ports.events.get(asking.tenant, verdict.rootEventId);
  const { by, at, cause, note = null } = verdict;
  return { by: by.name, at, cause, root: root === null ? null : eventWords(root), note };
}

const notesOf = (members: readonly Event[]): string[] =>
  [...new Set(members.flatMap(({ resolutionNotes }) => resolutionNotes ?? []))].slice(0, 10);

/** Reads the facts of one group for reports. */
export async function readGroup(reading: ReportReading): Promise<GroupReportRead> {
  const { ports, tenant, receivedAt: now } = reading.asking;
  const id = await groupId(reading);
  if (id === null) return { group: null };
  goOn(reading);
  const shown = await showGroup(reading.asking, id);
  const { group, state, care } = shown.row;
  const quietMs = quietTimeMs(await correlationSettings(ports.records, tenant));
  const [members, timeline, causes, verdict, founder] = await Promise.all([
    membersOf(ports, tenant, group, MEMBERS),
    timelineOf(ports, tenant, group, { order: 'asc', quietMs, now }),
    causesOf(reading, shown),
    verdictOf(reading, shown),
    ports.events.get(tenant, group.foundedBy),
  ]);
  goOn(reading);
  const acknowledged = acknowledgedIn(shown, members);
  const reported: ReportedGroup = {
    id: group.id,
    title: shown.root?.title ?? founder?.title ?? members[0]?.title ?? `Group ${group.id}`,
    began: group.first,
    ended: state.status === 'resolved' ? state.lastActivity : null,
    now,
    events: group.size,
    open: countOn(state.counts),
    cis: state.names.ci.count,
    severity: state.severity ?? 'info',
    acknowledgedAt: acknowledged?.at ?? null,
    acknowledgedBy: acknowledged?.by ?? null,
    assignee: assigneeName(care),
    ...causes,
    verdict,
    causeNamedAt: group.named?.[0]?.at ?? null,
    services: shown.hit.ever.map((one) => impactOf(shown, members, now, one)),
    moments: timeline.moments.slice(0, MOMENTS).map(momentRow),
    momentsTotal: timeline.moments.length,
    actions: shown.entries.map(({ at, by, text }) => ({ at, by: by.name, text })),
    resolutionNotes: notesOf(members),
  };
  return { group: reported };
}
