import { queueOutgoing } from '#application/webhooks/delivery/queue-outgoing.ts';
import { type GroupState, groupState } from '#application/webhooks/resources/group-state.ts';
import { isWanted } from '#application/webhooks/wanted.ts';
import type { Group } from '#domain/correlation/records.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Outgoing, WebhookKind } from '#domain/webhooks/webhook.ts';

/** Changes of one group within this time are told as one, ms. */
const GATHERED_MS = 10_000;
const DAY_MS = 24 * 3_600_000;
/** How long after the last change it is remembered what was told of a group, ms. */
const REMEMBERED_MS = 60 * DAY_MS;
const PAGE = 200;
/** Groups that became part of another one and are told of at once. */
const MERGED = 100;

/** Of no tenant, by tenant and group: something has changed, and is told at `dueAt`. */
export const CHANGED_GROUPS = 'webhook-group';
/** In the tenant, by group: what was told last. */
const TOLD_GROUPS = 'webhook-group-told';
export const GROUP_KINDS = ['correlation.created', 'correlation.updated', 'correlation.resolved'] as const;

interface Changed {
  readonly tenant: string;
  readonly groupId: string;
  /** Of the first change that is not told yet. */
  readonly position: number;
  readonly at: number;
  readonly dueAt: number;
}
interface Told {
  /** Id of the event that is the cause; null: none is named. */
  readonly cause: string | null;
  readonly state: GroupState;
}
type Place = Pick<Changed, 'position' | 'at'>;

const putOnce = async (
  { records }: Ports,
  tenant: string,
  kind: string,
  id: string,
  body: unknown,
  expiresAt: number,
) => {
  try {
    await records.put(tenant, kind, id, body, { expected: 0, expiresAt });
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
};

/** What has changed of the group is told in 10 s. */
export const groupChanged = async (ports: Ports, tenant: string, groupId: string, place: Place): Promise<void> => {
  const now = ports.clock.now();
  const body: Changed = { tenant, groupId, ...place, dueAt: now + GATHERED_MS };
  await putOnce(ports, SYSTEM_TENANT, CHANGED_GROUPS, `${tenant}/${groupId}`, body, now + DAY_MS);
};

const outgoing = (kind: WebhookKind, id: string, { position, at }: Place, data?: Outgoing['data']): Outgoing => ({
  ...{ kind, resource: { kind: 'correlation', id }, sequence: position, at },
  ...(data !== undefined && { data }),
});

const toldOf = (group: Group, state: GroupState): Told => ({ cause: group.candidate?.eventId ?? null, state });

/** A new group is told at once. */
export const groupCreated = async (ports: Ports, tenant: string, groupId: string, place: Place): Promise<void> => {
  const group = await ports.correlation.group(tenant, groupId);
  if (group === null || group.id !== groupId) return;
  await queueOutgoing(ports, tenant, [outgoing('correlation.created', groupId, place)]);
  const expiresAt = ports.clock.now() + REMEMBERED_MS;
  await putOnce(ports, tenant, TOLD_GROUPS, groupId, toldOf(group, 'open'), expiresAt);
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
  if (group === null || !(await isWanted(ports, tenant, ...GROUP_KINDS))) return;
  const place = { position, at };
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

const CLAIMED = '!';

/** Moves the record out of the way of changes that come while this one is told; a crash leaves the moved one. */
const claim = async ({ records }: Ports, { id, body }: StoredRecord<Changed>): Promise<string> => {
  if (id.endsWith(CLAIMED)) return id;
  const expiresAt = body.at + REMEMBERED_MS;
  await records.put(SYSTEM_TENANT, CHANGED_GROUPS, id + CLAIMED, body, { expiresAt });
  await records.remove(SYSTEM_TENANT, CHANGED_GROUPS, id);
  return id + CLAIMED;
};

/** Tells what has changed of groups 10 s ago: their cause, that people know, that all is over. */
export const tellGroups = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  let after: string | undefined;
  for (;;) {
    const options = { limit: PAGE, ...(after !== undefined && { after }) };
    const page: StoredRecord<Changed>[] = await ports.records.list(SYSTEM_TENANT, CHANGED_GROUPS, options);
    const now = ports.clock.now();
    for (const changed of page.filter(({ body }) => body.dueAt <= now)) {
      if (isStopping()) return;
      const id = await claim(ports, changed);
      await tellChanged(ports, changed.body);
      await ports.records.remove(SYSTEM_TENANT, CHANGED_GROUPS, id);
    }
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
};
