import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import type { Event } from '#domain/event/event.ts';
import { maintainedUntil } from '#domain/topology/maintenance.ts';
import type { HandoverRead, UnresolvedGroup } from '#features/reports/rules/templates/handover.ts';
import { readIncidentRows, titleIn } from './read-incidents.ts';
import { ask, goOn, type ReportReading } from './reading.ts';

const OPEN = 50;
const MAINTAINED = 10;

const openRow =
  (events: ReadonlyMap<string, Event>) =>
  ({ group, state, care }: ListedGroup): UnresolvedGroup => ({
    id: group.id,
    title: titleIn(group, events),
    severity: state.severity ?? 'info',
    state: state.status,
    began: group.first,
    last: group.last,
    events: group.size,
    assignee: care.assignedTo?.name ?? care.assignedTeam?.name ?? null,
  });

/** Returns the names of CIs in maintenance now. */
async function maintainedNow({ asking }: ReportReading): Promise<string[]> {
  const { ports, tenant, receivedAt: now } = asking;
  const all = await ports.topology.inMaintenance(tenant);
  const ids = all.filter(({ maintenance }) => maintainedUntil(maintenance, now) !== null).map(({ ciId }) => ciId);
  const found = ids.length === 0 ? [] : await ports.topology.getCis(tenant, ids.slice(0, MAINTAINED));
  return found.map(({ name }) => name).sort();
}

/** Reads groups of the range, all groups open now, and items to watch. */
export async function readHandover(reading: ReportReading): Promise<HandoverRead> {
  const { ports, tenant, receivedAt: now } = reading.asking;
  const incidents = await ask(reading, { metric: 'incidents', isCompared: true });
  const rows = await readIncidentRows(reading);
  goOn(reading);
  const page = { sort: 'urgency', order: 'desc', limit: OPEN } as const;
  const open = await ports.groupRows.find(tenant, { statuses: ['active', 'acknowledged'] }, page);
  const ids = open.items.flatMap(({ group: { candidate, foundedBy } }) => [candidate?.eventId ?? foundedBy, foundedBy]);
  const events = new Map((await ports.events.getMany(tenant, [...new Set(ids)])).map((event) => [event.id, event]));
  return {
    incidents: incidents.count,
    before: incidents.previous?.count ?? null,
    rows,
    open: open.items.map(openRow(events)),
    openTotal: open.total,
    maintained: await maintainedNow(reading),
    now,
  };
}
