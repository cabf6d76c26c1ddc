import { lifecycleSettings } from '#application/records/tenant-settings.ts';
import {
  type Acknowledgement,
  countOn,
  GROUP_HITS,
  type GroupHits,
  isOn,
  type ListedGroup,
  membersIn,
} from '#domain/correlation/grouping/group-state.ts';
import { type Event, severityRank } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Happening } from '#domain/ports/sink.ts';
import { acknowledgementOf, changeAcknowledgement, onIn, type StandingAsked, servicesOn } from './acknowledgement.ts';
import { handOver } from './hand-over.ts';
import { failingWithCauses, hitsOf } from './services-of-causes.ts';

/** An event that is worse than all that was acknowledged, or hits a further service. */
async function worseOf(asking: StandingAsked, { group }: ListedGroup, { severity, services }: Acknowledgement) {
  const rank = severity === null ? -1 : severityRank(severity);
  const known = new Set(services);
  for (const event of (await onIn(asking, group, ['open'])).toReversed()) {
    if (severityRank(event.severity) > rank) return event;
    const hit = event.ci === null ? [] : await servicesOn(asking, [event.ci.id]);
    if (hit.some((id) => !known.has(id))) return event;
  }
  return undefined;
}

/** The last acknowledgement among members that are on. */
async function lastAcknowledged(asking: StandingAsked, { group }: ListedGroup): Promise<Event | undefined> {
  const events = await onIn(asking, group);
  return events.reduce<Event | undefined>(
    (last, event) => ((event.acknowledgedAt ?? 0) > (last?.acknowledgedAt ?? -1) ? event : last),
    undefined,
  );
}

interface Seen {
  readonly at: number;
  /** A member that was acknowledged is open again. */
  readonly isWithdrawn: boolean;
  /** Position of the record by which members have left. */
  readonly leftAt?: number;
}

/** The acknowledgement that the members make of the one before; null: it stays. */
async function nextOf(
  asking: StandingAsked,
  row: ListedGroup,
  before: Acknowledgement | undefined,
  { at, isWithdrawn }: Seen,
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

/** Lists are ordered by it. */
async function noteHits(asking: StandingAsked, { group, state }: ListedGroup): Promise<void> {
  const { tenant, ports } = asking;
  const cause = group.candidate?.ciId ?? null;
  const failing = cause === null ? undefined : (await failingWithCauses(asking, [cause])).get(cause);
  const [root] = group.candidate === null ? [] : await ports.events.getMany(tenant, [group.candidate.eventId]);
  const { now } = await hitsOf(asking, state.cis, failing ?? [], root !== undefined && isOn(root.status));
  if (now.length === state.hits) return;
  const body: GroupHits = { count: now.length };
  await ports.records.put(tenant, GROUP_HITS, group.id, body);
  await ports.groupRows.refresh(tenant, [group.id]);
}

async function reconsiderOne(asking: StandingAsked, id: string, seen: Seen): Promise<void> {
  const { tenant, ports } = asking;
  const row = await ports.groupRows.get(tenant, id);
  if (row === null) return;
  if (seen.leftAt !== undefined) await ports.groupRows.refresh(tenant, [row.group.id], seen.leftAt);
  if (membersIn(row.state.counts) === 0) {
    await handOver(asking, row);
    return;
  }
  await noteHits(asking, row);
  const { acknowledged } = row.care;
  const isConcerned = acknowledged === undefined ? row.state.status === 'acknowledged' : countOn(row.state.counts) > 0;
  if (!isConcerned) return;
  await changeAcknowledgement(asking, row.group.id, {
    change: async (before) => nextOf(asking, (await ports.groupRows.get(tenant, row.group.id)) ?? row, before, seen),
  });
}

/** The groups of what happened, each with what is newest of it. */
async function groupsOf({ events }: Ports, tenant: string, batch: readonly Happening[]): Promise<Map<string, Seen>> {
  const ids = batch.flatMap((one) => (one.happened === 'status' ? one.id : []));
  const members = new Map((await events.getMany(tenant, ids)).map((event) => [event.id, event]));
  const groups = new Map<string, Seen>();
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

/** Notes what has become of groups by what happened to them or to their members: the services that they hit, and whether an acknowledgement still holds. */
export async function reconsider(ports: Ports, batch: readonly Happening[]): Promise<void> {
  for (const [tenant, own] of Map.groupBy(batch, (one) => one.tenant)) {
    const asking = { tenant, ports, receivedAt: ports.clock.now() };
    for (const [id, seen] of await groupsOf(ports, tenant, own)) await reconsiderOne(asking, id, seen);
  }
}
