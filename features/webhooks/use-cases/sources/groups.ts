import { type DueAfter, eachDue, markDue } from '#application/records/due-records.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Outgoing, WebhookKind } from '#features/webhooks/rules/webhook.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { groupState, type IncidentState } from '#features/webhooks/use-cases/resources/group-state.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';
import { LONE_KINDS, takenIn } from './lone-events.ts';

/** Changes of one group within 10 s are told as one. */
const TOLD_AFTER: DueAfter = { quietMs: 10_000, latestMs: 10_000 };
const DAY_MS = 24 * 3_600_000;
/** How long after the last change it is remembered what was told of a group, ms. */
const REMEMBERED_MS = 60 * DAY_MS;
/** Groups told of in one turn. */
const PER_TURN = 1_000;
/** Groups that became part of another one and are told of at once. */
const MERGED = 100;

/** Of no tenant, by tenant and group: something has changed. */
export const CHANGED_GROUPS = 'webhook-group';
/** In the tenant, by group: what was told last. */
const TOLD_GROUPS = 'webhook-group-told';
export const GROUP_KINDS = ['correlation.created', 'correlation.updated', 'correlation.resolved'] as const;

interface Changed {
  readonly tenant: string;
  readonly groupId: string;
  /** Of the last change. */
  readonly position: number;
  readonly at: number;
}
interface Told {
  /** Id of the event that is the cause; null: none is named. */
  readonly cause: string | null;
  readonly state: IncidentState;
}
type Place = Pick<Changed, 'position' | 'at'>;

/** Changes of the group are sent every 10 s. */
export const groupChanged = (ports: Ports, tenant: string, groupId: string, { position, at }: Place): Promise<void> => {
  const changed: Changed = { tenant, groupId, position, at };
  return markDue(ports, [CHANGED_GROUPS, `${tenant}/${groupId}`], changed, TOLD_AFTER);
};

const outgoing = (kind: WebhookKind, id: string, { position, at }: Place, data?: Outgoing['data']): Outgoing => ({
  kind,
  resource: { kind: 'correlation', id },
  sequence: position,
  at,
  ...(data !== undefined && { data }),
});

const toldOf = (group: Group, state: IncidentState): Told => ({ cause: group.candidate?.eventId ?? null, state });

/** A new group is told at once. One that was told of before was made again from the log: what has changed of it is told. */
export const groupCreated = async (ports: Ports, tenant: string, groupId: string, place: Place): Promise<void> => {
  if ((await ports.records.get(tenant, TOLD_GROUPS, groupId)) !== null)
    return groupChanged(ports, tenant, groupId, place);
  const group = await ports.correlation.group(tenant, groupId);
  if (group === null || group.id !== groupId) return;
  // One of its members may have been told of by itself.
  if (await isWanted(ports, tenant, ...LONE_KINDS)) await groupChanged(ports, tenant, groupId, place);
  await queueOutgoing(ports, tenant, [outgoing('correlation.created', groupId, place)]);
  const expiresAt = ports.clock.now() + REMEMBERED_MS;
  await ports.records.put(tenant, TOLD_GROUPS, groupId, toldOf(group, 'open'), { expected: 0, expiresAt });
};

/** Groups that were told of and are part of this one by now. */
const mergedInto = async ({ records }: Ports, tenant: string, { aliases }: Group): Promise<string[]> => {
  const known: string[] = [];
  for (const alias of aliases.slice(-MERGED))
    if ((await records.get(tenant, TOLD_GROUPS, alias)) !== null) known.push(alias);
  return known;
};

/** They are over for those who were told of them. */
const mergedData = (alias: string, into: string): Outgoing['data'] => ({
  correlation: { correlationId: alias, status: 'merged', state: 'resolved', mergedInto: into },
});

const kindOf = (before: Told | undefined, { cause, state }: Told): WebhookKind | null => {
  if (state === before?.state && cause === before.cause) return null;
  if (state === 'resolved') return before?.state === 'resolved' ? null : 'correlation.resolved';
  return 'correlation.updated';
};

const tellChanged = async (ports: Ports, { tenant, groupId, position, at }: Changed): Promise<void> => {
  const group = await ports.correlation.group(tenant, groupId);
  if (group === null) return;
  const place = { position, at };
  if (await isWanted(ports, tenant, ...LONE_KINDS)) await takenIn(ports, tenant, group, place);
  if (!(await isWanted(ports, tenant, ...GROUP_KINDS))) return;
  const before = await ports.records.get<Told>(tenant, TOLD_GROUPS, group.id);
  const now = toldOf(group, await groupState(ports, tenant, group));
  const kind = kindOf(before?.body, now);
  const merged = await mergedInto(ports, tenant, group);
  await queueOutgoing(ports, tenant, [
    ...(kind === null ? [] : [outgoing(kind, group.id, place)]),
    ...merged.map((alias) => outgoing('correlation.resolved', alias, place, mergedData(alias, group.id))),
  ]);
  const expiresAt = ports.clock.now() + REMEMBERED_MS;
  if (kind !== null) await ports.records.put(tenant, TOLD_GROUPS, group.id, now, { expiresAt });
  for (const alias of merged) await ports.records.remove(tenant, TOLD_GROUPS, alias);
};

/** Tells what has changed of groups 10 s ago: their cause, that people know, that all is over. */
export const tellGroups = (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `Webhooks could not be told what has changed of ${count} groups`;
  return eachDue<Changed>(ports, CHANGED_GROUPS, { most: PER_TURN, isStopping, failed }, (changed) =>
    tellChanged(ports, changed),
  );
};
