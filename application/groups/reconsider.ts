import type { TimedContext } from '#application/access/context.ts';
import { byTenant } from '#application/operations/by-tenant.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { readAfter } from '#application/records/read-after.ts';
import { lifecycleSettings } from '#application/records/tenant-settings.ts';
import { entryId, GROUP_ENTRY } from '#domain/correlation/grouping/group-entry.ts';
import {
  type Acknowledgement,
  countOn,
  GROUP_CARE,
  GROUP_HITS,
  type GroupAssignment,
  type GroupHits,
  type ListedGroup,
  leadingEventOf,
  membersIn,
} from '#domain/correlation/grouping/group-state.ts';
import { type Event, severityRank } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SinkEvent } from '#domain/ports/sink.ts';
import { sameJson } from '#domain/same-json.ts';
import { slices } from '#domain/slices.ts';
import { acknowledgementOf, changeAcknowledgement, onIn, servicesOn } from './acknowledgement.ts';
import { entriesOf } from './entries.ts';
import { heirOf } from './find-group.ts';
import { hitsOf, NO_HIT, sourceOfGroup } from './services-of-causes.ts';

/** The owner of the former group has the new one, too, unless that has one; and so with the verdict. */
const united = (own: GroupAssignment, { assignedTo, assignedTeam, verdict }: GroupAssignment): GroupAssignment => ({
  ...(own.assignedTo === undefined &&
    own.assignedTeam === undefined && { ...(assignedTo && { assignedTo }), ...(assignedTeam && { assignedTeam }) }),
  ...(verdict && { verdict }),
  ...own,
});

/** The owner, the verdict and the notes of a group that has no member any more go to the group where its last one is. */
async function handOver({ tenant, ports }: TimedContext, row: ListedGroup): Promise<void> {
  const heir = await heirOf(ports, row);
  if (heir === null) return;
  const { id } = heir.group;
  for (const entry of await entriesOf(ports, tenant, row.group)) {
    const taken = { ...entry, group: id };
    await ports.records.put(tenant, GROUP_ENTRY, entryId(taken), taken);
  }
  await inTurn(ports, { of: ['group', tenant, id], ifMatch: null }, async () => {
    const stored = await ports.records.get<GroupAssignment>(tenant, GROUP_CARE, id);
    const own = stored?.body ?? heir.care;
    const after = united(own, row.care);
    if (!sameJson(own, after))
      await ports.records.put(tenant, GROUP_CARE, id, after, { expected: stored?.revision ?? 0 });
  });
  await readAfter(() => ports.groupRows.refresh(tenant, [id]), undefined);
  ports.live.recordChanged(tenant, 'group', id);
}

/** An event that is worse than all that was acknowledged, or hits a further service. */
async function worseOf(asking: TimedContext, { group }: ListedGroup, { severity, services }: Acknowledgement) {
  const rank = severity === null ? -1 : severityRank(severity);
  const known = new Set(services);
  for (const event of (await onIn(asking, group, ['open'])).toReversed()) {
    if (severityRank(event.severity) > rank) return event;
    const hit = event.ci === null ? [] : await servicesOn(asking, [event.ci.id]);
    if (hit.some((id) => !known.has(id))) return event;
  }
  return undefined;
}

/** Returns the last acknowledgment among active members. */
async function lastAcknowledged(asking: TimedContext, { group }: ListedGroup): Promise<Event | undefined> {
  const events = await onIn(asking, group);
  return events.reduce<Event | undefined>(
    (last, event) => ((event.acknowledgedAt ?? 0) > (last?.acknowledgedAt ?? -1) ? event : last),
    undefined,
  );
}

interface Trigger {
  readonly at: number;
  /** A member that was acknowledged is open again. */
  readonly isWithdrawn: boolean;
  /** Position of the record by which members have left. */
  readonly leftAt?: number;
}

/** Returns the acknowledgment derived from the members and the previous one; null: it stays. */
async function nextOf(
  asking: TimedContext,
  row: ListedGroup,
  before: Acknowledgement | undefined,
  { at, isWithdrawn }: Trigger,
): Promise<Acknowledgement | undefined | null> {
  const { counts } = row.state;
  if (countOn(counts) === 0) return null;
  if (counts.open === 0) {
    if (before !== undefined && before.worse === undefined) return null;
    const last = await lastAcknowledged(asking, row);
    const said = { by: last?.acknowledgedBy ?? null, at: last?.acknowledgedAt ?? at };
    return (await acknowledgementOf(asking, row, said)) ?? null;
  }
  if (before === undefined || before.worse !== undefined) return null;
  if (isWithdrawn && counts.acknowledged === 0) return undefined;
  const { worseReopens } = await lifecycleSettings(asking.ports.records, asking.tenant);
  const worse = worseReopens ? await worseOf(asking, row, before) : undefined;
  return worse === undefined ? null : { ...before, worse: { since: at, eventId: worse.id } };
}

/** Lists are ordered by it. Returns true if it has changed. */
async function noteHits(asking: TimedContext, row: ListedGroup): Promise<boolean> {
  const { tenant, ports } = asking;
  const { group, state } = row;
  const leading = leadingEventOf(row);
  const [root] = leading === null ? [] : await ports.events.getMany(tenant, [leading]);
  const source = sourceOfGroup(row, root);
  // Only services that are hit now are counted: one walk is enough.
  const [{ now } = NO_HIT] = await hitsOf(asking, [
    { ...source, all: source.on, ...(!source.isCauseOn && { cause: undefined }) },
  ]);
  if (now.length === state.hits) return false;
  const body: GroupHits = { count: now.length };
  await ports.records.put(tenant, GROUP_HITS, group.id, body);
  return true;
}

/** Returns true if the row is to show other hits. */
async function reconsiderOne(asking: TimedContext, row: ListedGroup, seen: Trigger): Promise<boolean> {
  const { tenant, ports } = asking;
  if (seen.leftAt !== undefined) await ports.groupRows.refresh(tenant, [row.group.id], seen.leftAt);
  if (membersIn(row.state.counts) === 0) {
    await handOver(asking, row);
    return false;
  }
  const isHitOtherwise = await noteHits(asking, row);
  const { acknowledged } = row.care;
  const isConcerned = acknowledged === undefined ? row.state.status === 'acknowledged' : countOn(row.state.counts) > 0;
  if (isConcerned)
    await changeAcknowledgement(asking, row.group.id, {
      change: async (before) => nextOf(asking, (await ports.groupRows.get(tenant, row.group.id)) ?? row, before, seen),
    });
  return isHitOtherwise;
}

/** Groups read and worked off at once: they wait for the stores much longer than they work. */
const AT_ONCE = 100;

async function reconsiderAll(asking: TimedContext, groups: ReadonlyMap<string, Trigger>): Promise<void> {
  const { tenant, ports } = asking;
  for (const some of slices([...groups], AT_ONCE)) {
    const rows = await ports.groupRows.getMany(
      tenant,
      some.map(([id]) => id),
    );
    const hit = await Promise.all(
      some.map(async ([id, seen]) => {
        const row = rows.get(id);
        return row !== undefined && (await reconsiderOne(asking, row, seen)) ? [row.group.id] : [];
      }),
    );
    if (hit.flat().length > 0) await ports.groupRows.refresh(tenant, hit.flat());
  }
}

/** Returns the groups of the changes, each with its newest change. */
async function groupsOf({ events }: Ports, tenant: string, batch: readonly SinkEvent[]): Promise<Map<string, Trigger>> {
  const ids = batch.flatMap((one) => (one.happened === 'status' ? one.id : []));
  const members = new Map((await events.getMany(tenant, ids)).map((event) => [event.id, event]));
  const groups = new Map<string, Trigger>();
  for (const one of batch) {
    const member = one.happened === 'status' ? members.get(one.id) : undefined;
    const group = one.happened === 'group' ? one.id : (member?.correlationId ?? null);
    if (group === null) continue;
    const isWithdrawn = one.happened === 'status' && one.previousStatus === 'acknowledged' && member?.status === 'open';
    const seen = { at: one.at, isWithdrawn: isWithdrawn || (groups.get(group)?.isWithdrawn ?? false) };
    const leftAt = one.happened === 'group' && one.change === 'split' ? one.position : groups.get(group)?.leftAt;
    groups.set(group, leftAt === undefined ? seen : { ...seen, leftAt });
  }
  return groups;
}

/**
 * Updates groups after changes to them or to their members: the affected services, and the validity of an
 * acknowledgment.
 */
export const reconsider = (ports: Ports, batch: readonly SinkEvent[]): Promise<void> =>
  byTenant(batch, async (tenant, own) => {
    const asking = { tenant, ports, receivedAt: ports.clock.now() };
    await reconsiderAll(asking, await groupsOf(ports, tenant, own));
  });
