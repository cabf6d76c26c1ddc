import { actorOf } from '#application/access/actor.ts';
import { trailOf } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { acknowledgementOf, changeAcknowledgement } from '#application/groups/acknowledgement.ts';
import { assigneesOf, assigneesText, givenTo } from '#application/groups/assignees.ts';
import { changeAssignment } from '#application/groups/assignment.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { readAfter } from '#application/records/read-after.ts';
import { operatedByPerson } from '#domain/access/trail.ts';
import type { Acknowledgement } from '#domain/correlation/grouping/group-state.ts';
import { type AcknowledgementPart, type CarePart, OPERATION, UNDO_MS } from '#domain/correlation/grouping/operation.ts';
import type { Group } from '#domain/correlation/records.ts';
import {
  type Event,
  eventIdOf,
  parseEventId,
  type ResolutionCategory,
  STATUSES,
  type Status,
} from '#domain/event/event.ts';
import type { Ask, Assignment, Incoming, Operated } from '#domain/event/incoming.ts';
import { wasClosed } from '#domain/event/lifecycle/putting-back.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import { slices } from '#domain/slices.ts';

/** Groups that are read at once. */
const AT_ONCE = 20;
/** Events of one page, and events that one operation moves. */
const PAGE = 1_000;
const MAX_MOVED = 10_000;

/** A group, or an event, as it was named. */
type GroupTarget =
  | { readonly name: string; readonly group: Group }
  | { readonly name: string; readonly event: Event }
  | { readonly name: string; readonly error: string };

/** Returns the current group of each id, and events by theirs. */
async function resolveTargets(
  { ports, tenant }: UseCaseContext,
  names: readonly string[],
): Promise<readonly GroupTarget[]> {
  const ids = new Map([...new Set(names)].map((name) => [name, parseEventId(name)]));
  const wanted = [...ids.values()].filter((id) => id !== null);
  const events = new Map((await ports.events.getMany(tenant, wanted)).map((event) => [event.id, event]));
  const eventNamed = (name: string, id: string): GroupTarget => {
    const event = events.get(id);
    return event === undefined ? { name, error: `Event ${eventIdOf(id)} was not found` } : { name, event };
  };
  const groupNamed = async (name: string): Promise<GroupTarget> => {
    const group = await ports.correlation.group(tenant, name);
    return group === null ? { name, error: `Group ${name} was not found` } : { name, group };
  };
  const meant: GroupTarget[] = [];
  for (const some of slices([...ids], AT_ONCE))
    meant.push(
      ...(await Promise.all(some.map(([name, id]) => (id === null ? groupNamed(name) : eventNamed(name, id))))),
    );
  return meant;
}

/** Members that move, by the id of their group. */
interface Moving {
  readonly byGroup: ReadonlyMap<string, readonly string[]>;
  /** These have more than one operation moves. */
  readonly cut: ReadonlySet<string>;
}

/** Members with one of the statuses, the earliest first. */
async function membersOf(
  { ports, tenant }: UseCaseContext,
  groups: readonly Group[],
  from: readonly Status[],
): Promise<Moving> {
  const byGroup = new Map<string, string[]>(groups.map(({ id }) => [id, []]));
  const cut = new Set<string>();
  let left = MAX_MOVED;
  for (const some of slices(groups, AT_ONCE)) {
    const standing = new Map(some.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name, id] as const)));
    const filter: EventFilter = { correlationIds: [...standing.keys()], statuses: from };
    let cursor: string | null | undefined;
    while (cursor !== null) {
      if (left <= 0) {
        for (const { id } of some) cut.add(id);
        break;
      }
      const page = { sort: 'createdAt', order: 'asc', limit: Math.min(PAGE, left) } as const;
      const found = await ports.events.part(tenant, filter, cursor === undefined ? page : { ...page, cursor });
      for (const event of found.items.filter(wasClosed))
        byGroup.get(standing.get(event.correlationId ?? '') ?? '')?.push(event.id);
      left -= found.items.length;
      cursor = found.nextCursor;
    }
  }
  return { byGroup, cut };
}

/** User actions on groups, and on events in none. */
const GROUP_VERBS = ['acknowledge', 'unacknowledge', 'resolve', 'reopen', 'assign'] as const;
export type GroupVerb = (typeof GROUP_VERBS)[number];

interface Verb {
  /** Description in the audit trail, and for the history of a group. */
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

export interface GroupsOperationInput {
  readonly verb: GroupVerb;
  readonly ids: readonly string[];
  readonly notes?: string | undefined;
  readonly category?: ResolutionCategory | undefined;
  /** Set for `assign`. */
  readonly assignment?: Assignment | undefined;
}

/** The outcome for one group or event. */
export interface GroupDone {
  readonly id: string;
  /** Changed events; 1 for an assigned group. */
  readonly changed: number;
  /** Appended to the log, and not carried out in time. */
  readonly queued: boolean;
  readonly error: string | null;
}
export interface GroupsDone {
  /** Null: nothing was changed. */
  readonly operationId: string | null;
  readonly results: readonly GroupDone[];
}

/** Maximum of events of one record, so that its stored undo data stays small. */
const PER_RECORD = 200;
const TIMEOUT_MS = 14_500;

export type Recorded = Extract<Ask, Operated>;

/** Appends the parts and returns the outcome of each subject; `named` returns the id as it was written. */
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

const subjectsOf = (meant: readonly GroupTarget[]): string[] =>
  meant.flatMap((one) => ('group' in one ? one.group.id : 'event' in one ? eventIdOf(one.event.id) : []));

const nothing = ({ name: id }: GroupTarget, error: string | null): GroupDone => ({
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
  const { entry } = await changeAssignment(context, group.id, {
    action: common.action,
    kind: 'assigned',
    text: assigneesText,
    change: givenTo(assignment),
    sideRecords: (before, after) => {
      const body: CarePart = {
        subject: group.id,
        at,
        groupId: group.id,
        before: assigneesOf(before),
        after: assigneesOf(after),
      };
      const part = { tenant, kind: OPERATION, id: `${operation}/${group.id}`, body, expiresAt: at + 2 * UNDO_MS };
      return [operatedByPerson(tenant, common, at, assigneesOf(after)), part];
    },
  });
  return { id: name, changed: entry === null ? 0 : 1, queued: false, error: null };
}

const eventsOf = (count: number): string => (count === 1 ? '1 event' : `${count} events`);

type NamedAsk = readonly [name: string, ask: Recorded];

/** The records about one group, or one event. */
function recordsOf(
  common: Common,
  { verb, notes, category, assignment }: GroupsOperationInput,
  { name, groupId, ids }: { readonly name: string; readonly groupId: string | null; readonly ids: readonly string[] },
): NamedAsk[] {
  const { done, from, to } = VERBS[verb];
  const said = `${done} ${eventsOf(ids.length)}${notes === undefined ? '' : `: ${notes}`}`;
  return [...slices(ids, PER_RECORD)].map(
    (eventIds): NamedAsk => [
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

const TOO_MANY = 'Event limit per request reached. Repeat the request for the rest';

interface Acknowledging {
  readonly groupId: string;
  /** Null: it is acknowledged already. */
  readonly acknowledgement: Acknowledgement | undefined | null;
}

/** Returns the acknowledgments of these groups, read before anything is written. */
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

/** An acknowledgment holds for events that join later, until the group becomes worse; reopening ends it. */
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
/** Reopening members ends the acknowledgment of their group. */
const OPENING: readonly GroupVerb[] = ['unacknowledge', 'reopen'];

/**
 * Does one thing to groups, and to events in none: one entry in the audit trail, one in the history of each group, and one operation to
 * undo. Each is answered for itself.
 */
export async function operate(context: UseCaseContext, wish: GroupsOperationInput): Promise<GroupsDone> {
  const { verb, assignment = {} } = wish;
  await context.ports.eventLog.caughtUp();
  const meant = await resolveTargets(context, wish.ids);
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
  // Runs before its members are acknowledged, as concurrent joiners count.
  for (const one of acknowledging) await acknowledge(context, common, one);
  const parts = meant.flatMap((one): NamedAsk[] => {
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
