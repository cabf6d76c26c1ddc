import { type DueAfter, eachDue, markDue } from '#application/records/due-records.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Outgoing, WebhookKind } from '#features/webhooks/rules/webhook.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { groupState, type IncidentState } from '#features/webhooks/use-cases/resources/group-state.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';
import { LONE_KINDS, takenIn } from './lone-events.ts';

/** Changes of one group within 10 s are sent as one. */
const TOLD_AFTER: DueAfter = { quietMs: 10_000, latestMs: 10_000 };
const DAY_MS = 24 * 3_600_000;
/** Retention of the sent state of a group after its last change, ms. */
const REMEMBERED_MS = 60 * DAY_MS;
/** Groups sent in one turn. */
const PER_TURN = 1_000;
/** Maximum of merged groups sent at once. */
const MERGED = 100;

/** Stored without a tenant, by tenant and group: something has changed. */
export const CHANGED_GROUPS = 'webhook-group';
/** Stored in the tenant, by group: the last sent state. */
const TOLD_GROUPS = 'webhook-group-told';
export const GROUP_KINDS = ['correlation.created', 'correlation.updated', 'correlation.resolved'] as const;

interface ChangedGroup {
  readonly tenant: string;
  readonly groupId: string;
  /** Position of the last change. */
  readonly position: number;
  readonly at: number;
}
interface NotifiedGroup {
  /** Id of the event that is the cause; null: none is named. */
  readonly cause: string | null;
  readonly state: IncidentState;
}
type Place = Pick<ChangedGroup, 'position' | 'at'>;

/** Changes of the group are sent every 10 s. */
export const groupChanged = (ports: Ports, tenant: string, groupId: string, { position, at }: Place): Promise<void> => {
  const changed: ChangedGroup = { tenant, groupId, position, at };
  return markDue(ports, [CHANGED_GROUPS, `${tenant}/${groupId}`], changed, TOLD_AFTER);
};

const outgoing = (kind: WebhookKind, id: string, { position, at }: Place, data?: Outgoing['data']): Outgoing => ({
  kind,
  resource: { kind: 'correlation', id },
  sequence: position,
  at,
  ...(data !== undefined && { data }),
});

const toldOf = (group: Group, state: IncidentState): NotifiedGroup => ({
  cause: group.candidate?.eventId ?? null,
  state,
});

/** A new group is sent at once. One that was sent before was rebuilt from the log: its changes are sent. */
export const groupCreated = async (ports: Ports, tenant: string, groupId: string, place: Place): Promise<void> => {
  if ((await ports.records.get(tenant, TOLD_GROUPS, groupId)) !== null)
    return groupChanged(ports, tenant, groupId, place);
  const group = await ports.correlation.group(tenant, groupId);
  if (group === null || group.id !== groupId) return;
  // One of its members may have been sent by itself.
  if (await isWanted(ports, tenant, ...LONE_KINDS)) await groupChanged(ports, tenant, groupId, place);
  await queueOutgoing(ports, tenant, [outgoing('correlation.created', groupId, place)]);
  const expiresAt = ports.clock.now() + REMEMBERED_MS;
  await ports.records.put(tenant, TOLD_GROUPS, groupId, toldOf(group, 'open'), { expected: 0, expiresAt });
};

/** Returns groups that were sent and are part of this one now. */
const mergedInto = async ({ records }: Ports, tenant: string, { aliases }: Group): Promise<string[]> => {
  const known: string[] = [];
  for (const alias of aliases.slice(-MERGED))
    if ((await records.get(tenant, TOLD_GROUPS, alias)) !== null) known.push(alias);
  return known;
};

/** Returns the data of an end for receivers of the earlier groups. */
const mergedData = (alias: string, into: string): Outgoing['data'] => ({
  correlation: { correlationId: alias, status: 'merged', state: 'resolved', mergedInto: into },
});

const kindOf = (before: NotifiedGroup | undefined, { cause, state }: NotifiedGroup): WebhookKind | null => {
  if (state === before?.state && cause === before.cause) return null;
  if (state === 'resolved') return before?.state === 'resolved' ? null : 'correlation.resolved';
  return 'correlation.updated';
};

const notifyOfChange = async (ports: Ports, { tenant, groupId, position, at }: ChangedGroup): Promise<void> => {
  const group = await ports.correlation.group(tenant, groupId);
  if (group === null) return;
  const place = { position, at };
  if (await isWanted(ports, tenant, ...LONE_KINDS)) await takenIn(ports, tenant, group, place);
  if (!(await isWanted(ports, tenant, ...GROUP_KINDS))) return;
  const before = await ports.records.get<NotifiedGroup>(tenant, TOLD_GROUPS, group.id);
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

/** Sends changes of groups after 10 s: their cause, their acknowledgment, their end. */
export const notifyOfGroups = (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `failed to queue webhook deliveries for changes of ${count} groups`;
  return eachDue<ChangedGroup>(ports, CHANGED_GROUPS, { most: PER_TURN, isStopping, failed }, (changed) =>
    notifyOfChange(ports, changed),
  );
};
