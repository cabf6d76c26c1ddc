import { actorOf } from '#application/access/actor.ts';
import { trailOf } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { changeAcknowledgement } from '#application/groups/acknowledgement.ts';
import { assigneesOf, assigneesText } from '#application/groups/assignees.ts';
import { changeAssignment } from '#application/groups/assignment.ts';
import { operatedByPerson } from '#domain/access/trail.ts';
import type { Acknowledgement } from '#domain/correlation/grouping/group-state.ts';
import {
  type AcknowledgementPart,
  type CarePart,
  type EventsPart,
  OPERATION,
  type OperationPart,
  UNDO_MS,
} from '#domain/correlation/grouping/operation.ts';
import { eventIdOf } from '#domain/event/event.ts';
import type { Operated } from '#domain/event/incoming.ts';
import { notFound } from '#domain/fault.ts';
import { sameJson } from '#domain/same-json.ts';
import { carryOut, type GroupDone, type GroupsDone, type Recorded } from './operate.ts';

/** Parts read at once. */
const PAGE = 100;

async function partsOf({ ports, tenant, receivedAt }: UseCaseContext, operation: string): Promise<OperationPart[]> {
  const parts: OperationPart[] = [];
  let after = `${operation}/`;
  for (;;) {
    const page = await ports.records.list<OperationPart>(tenant, OPERATION, { after, limit: PAGE });
    const own = page.filter(({ id }) => id.startsWith(`${operation}/`));
    parts.push(...own.map(({ body }) => body));
    const last = page.at(-1);
    if (own.length < PAGE || last === undefined) break;
    after = last.id;
  }
  return parts.filter(({ at }) => receivedAt - at <= UNDO_MS);
}

const shown = ({ subject, groupId }: OperationPart): string => (groupId === null ? eventIdOf(subject) : subject);

type Common = Pick<Operated, 'operation' | 'by' | 'trail' | 'action' | 'subjects'>;

/** A group that was assigned again since stays so. */
async function giveBack(context: UseCaseContext, common: Common, { groupId, before, after }: CarePart) {
  const { entry } = await changeAssignment(context, groupId, {
    action: common.action,
    kind: 'assigned',
    text: assigneesText,
    change: (care) => {
      const { assignedTo: _user, assignedTeam: _team, ...rest } = care;
      return sameJson(assigneesOf(care), after) ? { ...rest, ...before } : care;
    },
    sideRecords: () => [operatedByPerson(context.tenant, common, context.receivedAt, assigneesOf(before))],
  });
  return { id: groupId, changed: entry === null ? 0 : 1, queued: false, error: null };
}

/** One that was acknowledged again since, or not any more, stays so. */
async function undoAcknowledgement(
  context: UseCaseContext,
  { groupId, acknowledged }: AcknowledgementPart,
  standing: string,
) {
  const { before, after } = acknowledged;
  const isSame = (now: Acknowledgement | undefined): boolean => {
    const { worse: _now, ...said } = now ?? {};
    const { worse: _then, ...left } = after ?? {};
    return sameJson(said, left);
  };
  const changed = await changeAcknowledgement(context, standing, {
    change: (now) => (isSame(now) ? (before ?? undefined) : null),
  });
  return { id: groupId, changed: changed ? 1 : 0, queued: false, error: null };
}

/** Returns the current ids of the acknowledged groups, read before anything is written. */
async function standingOf({ ports, tenant }: UseCaseContext, parts: readonly OperationPart[]) {
  const ids = parts.flatMap((part) => ('acknowledged' in part ? part.groupId : []));
  const groups = await Promise.all(ids.map((id) => ports.correlation.group(tenant, id)));
  return new Map(ids.map((id, index) => [id, groups[index]?.id ?? id]));
}

const isOfEvents = (part: OperationPart): part is EventsPart => 'events' in part;

/**
 * Undoes an operation of the last ten minutes: events without a later change are restored. Throws Fault `not-found` for
 * one that is unknown or older.
 */
export async function undoOperation(context: UseCaseContext, id: string): Promise<GroupsDone> {
  const { ports, caller } = context;
  await ports.eventLog.caughtUp();
  const parts = await partsOf(context, id);
  if (parts.length === 0) throw notFound('Operation from the last 10 minutes', id);
  const common: Common = {
    operation: ports.ids.ulid(),
    by: actorOf(caller),
    trail: trailOf(context),
    action: 'group.undone',
    subjects: [...new Set(parts.map(shown))],
  };
  const results = new Map<string, GroupDone>();
  const standing = await standingOf(context, parts);
  for (const part of parts) if ('after' in part) results.set(part.groupId, await giveBack(context, common, part));
  const asks = parts.filter(isOfEvents).map((part): readonly [string, Recorded] => {
    const { groupId, position: setAt, events } = part;
    return [shown(part), { ...common, kind: 'undone', groupId, setAt, events, said: 'undid the last action' }];
  });
  for (const [name, result] of await carryOut(context, asks)) results.set(name, result);
  for (const part of parts)
    if ('acknowledged' in part) {
      const result = await undoAcknowledgement(context, part, standing.get(part.groupId) ?? part.groupId);
      if (!results.has(part.groupId)) results.set(part.groupId, result);
    }
  return { operationId: null, results: [...results.values()] };
}
