import { actorOf } from '#application/access/actor.ts';
import { trailOf } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { acknowledgementOf, changeAcknowledgement } from '#application/groups/acknowledgement.ts';
import { changeCare } from '#application/groups/care.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { givenTo, keptBy, keptText } from '#application/groups/keepers.ts';
import { readAfter } from '#application/records/read-after.ts';
import { operatedByPerson } from '#domain/access/trail.ts';
import type { Acknowledgement } from '#domain/correlation/grouping/group-state.ts';
import { type AcknowledgementPart, type CarePart, OPERATION, UNDO_MS } from '#domain/correlation/grouping/operation.ts';
import type { Group } from '#domain/correlation/records.ts';
import { eventIdOf, type ResolutionCategory, STATUSES, type Status } from '#domain/event/event.ts';
import type { Ask, Assignment, Incoming, Operated } from '#domain/event/incoming.ts';
import { slices } from '#domain/slices.ts';
import { type GroupMeant, meantBy, membersOf } from './meant.ts';

/** Actions of people on groups, and on events in none. */
const GROUP_VERBS = ['acknowledge', 'unacknowledge', 'resolve', 'reopen', 'assign'] as const;
export type GroupVerb = (typeof GROUP_VERBS)[number];

interface Verb {
  /** In the audit trail, and for the history of a group. */
  readonly done: string;
  /** Members with another status stay as they are. */
  readonly from: readonly Status[];
  readonly to?: Status;
}
const VERBS: Readonly<Record<GroupVerb, Verb>> = {
  acknowledge: { done: 'acknowledged', from: ['open'], to: 'acknowledged' },
  unacknowledge: { done: 'unacknowledged', from: ['acknowledged'], to: 'open' },
  resolve: { done: 'resolved', from: ['open', 'acknowledged', 'suppressed'], to: 'resolved' },
  reopen: { done: 'reopened', from: ['resolved', 'suppressed'], to: 'open' },
  assign: { done: 'assigned', from: STATUSES },
};

export interface GroupsWish {
  readonly verb: GroupVerb;
  readonly ids: readonly string[];
  readonly notes?: string | undefined;
  readonly category?: ResolutionCategory | undefined;
  /** With `assign`. */
  readonly assignment?: Assignment | undefined;
}

/** The outcome for one group or event. */
export interface GroupDone {
  readonly id: string;
  /** Events that changed; of a group that is assigned 1. */
  readonly changed: number;
  /** In the log, and not carried out in time. */
  readonly queued: boolean;
  readonly error: string | null;
}
export interface GroupsDone {
  /** Null: nothing was changed. */
  readonly operationId: string | null;
  readonly results: readonly GroupDone[];
}

/** Events of one record, so that what is kept of it for an undo stays small. */
const PER_RECORD = 200;
const TIMEOUT_MS = 14_500;

export type Recorded = Extract<Ask, Operated>;

/** Appends the parts and says what became of each subject; `named` gives the id as it was written. */
export async function carryOut(
  { ports, tenant, idempotencyKey, receivedAt }: UseCaseContext,
  parts: readonly (readonly [name: string, ask: Recorded])[],
): Promise<ReadonlyMap<string, GroupDone>> {
  const done = new Map<string, GroupDone>();
  if (parts.length === 0) return done;
  const records = parts.map(([, ask], index): Incoming => {
    // A repeated request answers for the changes made before it was cut off, and does not make them again.
    return { ask, receivedAt, ...(idempotencyKey !== null && { deliveryId: `groups:${idempotencyKey}#${index}` }) };
  });
  const reply = await ports.eventLog.request(tenant, records, { timeoutMs: TIMEOUT_MS });
  for (const [index, [id]] of parts.entries()) {
    const receipt = reply.done ? reply.receipts[index] : undefined;
    const { changed, queued, error } = done.get(id) ?? { changed: 0, queued: false, error: null };
    done.set(id, {
      id,
      changed: changed + (receipt?.ok ? receipt.count : 0),
      queued: queued || receipt === undefined,
      error: receipt?.ok === false ? receipt.message : error,
    });
  }
  await readAfter(() => ports.eventLog.caughtUp(), undefined);
  return done;
}

const subjectsOf = (meant: readonly GroupMeant[]): string[] =>
  meant.flatMap((one) => ('group' in one ? one.group.id : 'event' in one ? eventIdOf(one.event.id) : []));

const nothing = ({ name: id }: GroupMeant, error: string | null): GroupDone => ({
  id,
  changed: 0,
  queued: false,
  error,
});

type Common = Pick<Operated, 'operation' | 'by' | 'trail' | 'action' | 'subjects'>;

/** A group is assigned as a whole; its members keep whom they have. */
async function give(
  context: UseCaseContext,
  common: Common,
  { name, group }: { readonly name: string; readonly group: Group },
  assignment: Assignment,
): Promise<GroupDone> {
  const { tenant, receivedAt: at } = context;
  const { operation } = common;
  const { entry } = await changeCare(context, group.id, {
    action: common.action,
    kind: 'assigned',
    text: keptText,
    change: givenTo(assignment),
    sideRecords: (before, after) => {
      const body: CarePart = { subject: group.id, at, groupId: group.id, before: keptBy(before), after: keptBy(after) };
      const part = { tenant, kind: OPERATION, id: `${operation}/${group.id}`, body, expiresAt: at + 2 * UNDO_MS };
      return [operatedByPerson(tenant, common, at, keptBy(after)), part];
    },
  });
  return { id: name, changed: entry === null ? 0 : 1, queued: false, error: null };
}

const eventsOf = (count: number): string => (count === 1 ? '1 event' : `${count} events`);

type Named = readonly [name: string, ask: Recorded];

/** The records about one group, or one event. */
function recordsOf(
  common: Common,
  { verb, notes, category, assignment }: GroupsWish,
  { name, groupId, ids }: { readonly name: string; readonly groupId: string | null; readonly ids: readonly string[] },
): Named[] {
  const { done, from, to } = VERBS[verb];
  const said = `${done} ${eventsOf(ids.length)}${notes === undefined ? '' : `: ${notes}`}`;
  return [...slices(ids, PER_RECORD)].map(
    (eventIds): Named => [
      name,
      {
        kind: 'operated',
        ...common,
        groupId,
        eventIds,
        from,
        said,
        ...(to && { status: to }),
        ...(notes !== undefined && { notes }),
        ...(category && { category }),
        ...assignment,
      },
    ],
  );
}

const TOO_MANY = 'More events than one request moves: ask again for the rest';

interface Acknowledging {
  readonly groupId: string;
  /** Null: it is acknowledged already. */
  readonly acknowledgement: Acknowledgement | undefined | null;
}

/** The acknowledgements of these groups, read before anything is written. */
const acknowledgingOf = (context: UseCaseContext, groups: readonly Group[]): Promise<Acknowledging[]> =>
  Promise.all(
    groups.map(async ({ id }) => {
      const row = await findGroup(context.ports, context.tenant, id);
      const { acknowledged } = row.care;
      const isKnown = acknowledged !== undefined && acknowledged.worse === undefined && row.state.counts.open === 0;
      const by = { by: actorOf(context.caller), at: context.receivedAt };
      return { groupId: row.group.id, acknowledgement: isKnown ? null : await acknowledgementOf(context, row, by) };
    }),
  );

/** An acknowledgement holds for events that join later, until the group becomes worse; reopening ends it. */
async function acknowledge(
  context: UseCaseContext,
  { operation }: Common,
  { groupId, acknowledgement }: Acknowledging,
) {
  const { tenant, receivedAt: at } = context;
  await changeAcknowledgement(context, groupId, {
    change: () => acknowledgement,
    sideRecords: (before, after) => {
      const acknowledged = { before: before.acknowledged ?? null, after: after.acknowledged ?? null };
      const body: AcknowledgementPart = { subject: groupId, at, groupId, acknowledged };
      return [{ tenant, kind: OPERATION, id: `${operation}/${groupId}/ack`, body, expiresAt: at + 2 * UNDO_MS }];
    },
  });
}
/** Opening members again ends the acknowledgement of their group. */
const OPENING: readonly GroupVerb[] = ['unacknowledge', 'reopen'];

/**
 * Does one thing to groups, and to events in none: one entry in the audit trail, one in the history of each group, and one operation to
 * undo. Each is answered for itself.
 */
export async function operate(context: UseCaseContext, wish: GroupsWish): Promise<GroupsDone> {
  const { verb, assignment = {} } = wish;
  await context.ports.eventLog.caughtUp();
  const meant = await meantBy(context, wish.ids);
  const { done, from } = VERBS[verb];
  const common: Common = {
    operation: context.ports.ids.ulid(),
    by: actorOf(context.caller),
    trail: trailOf(context),
    action: `group.${done}`,
    subjects: subjectsOf(meant),
  };
  const groups = meant.flatMap((one) => ('group' in one ? one : []));
  const results = new Map<string, GroupDone>();
  for (const one of meant) if ('error' in one) results.set(one.name, nothing(one, one.error));
  const moving = await membersOf(context, verb === 'assign' ? [] : groups.map(({ group }) => group), from);
  const acknowledging =
    verb === 'acknowledge'
      ? await acknowledgingOf(
          context,
          groups.map(({ group }) => group),
        )
      : [];
  if (verb === 'assign') {
    for (const one of groups) results.set(one.name, await give(context, common, one, assignment));
  }
  // Before its members are acknowledged, as those that join meanwhile count.
  for (const one of acknowledging) await acknowledge(context, common, one);
  const parts = meant.flatMap((one): Named[] => {
    if ('error' in one || ('group' in one && verb === 'assign')) return [];
    if ('event' in one) return recordsOf(common, wish, { name: one.name, groupId: null, ids: [one.event.id] });
    const ids = moving.byGroup.get(one.group.id) ?? [];
    return recordsOf(common, wish, { name: one.name, groupId: one.group.id, ids });
  });
  for (const [name, result] of await carryOut(context, parts)) results.set(name, result);
  if (OPENING.includes(verb))
    for (const { group } of groups)
      await acknowledge(context, common, { groupId: group.id, acknowledgement: undefined });
  const all = meant.map((one): GroupDone => {
    const result = results.get(one.name) ?? nothing(one, null);
    return 'group' in one && moving.cut.has(one.group.id) ? { ...result, error: TOO_MANY } : result;
  });
  const isDone = all.some(({ changed, queued }) => changed > 0 || queued);
  return { operationId: isDone ? common.operation : null, results: all };
}
