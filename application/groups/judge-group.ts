import { actorOf } from '#application/access/actor.ts';
import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import type { ListedGroup, Verdict } from '#domain/correlation/grouping/group-state.ts';
import { type Event, parseEventId } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import { invalid } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { type AssignmentChanged, changeAssignment } from './assignment.ts';
import { causeLesson } from './cause-lessons.ts';
import { type ShownGroup, showGroup } from './show-group.ts';

/** Returns a member. Throws Fault `invalid` for other events. */
const memberNamed = async (ports: Ports, { group }: ListedGroup, text: string): Promise<Event> => {
  const eventId = parseEventId(text);
  const event = eventId === null ? null : await ports.events.get(group.tenant, eventId);
  if (event === null || ![group.id, ...group.aliases].includes(event.correlationId ?? ''))
    throw invalid('rootEventId', `no event ${text} in this group`);
  return event;
};

const sameVerdict = (a: Verdict | undefined, b: Verdict): boolean =>
  a !== undefined && (['cause', 'rootEventId', 'members', 'note'] as const).every((field) => a[field] === b[field]);

const verdictText = ({ cause, members, note }: Verdict, root: Event | undefined): string => {
  const named = root === undefined ? '' : ` (it was ${eventWords(root)})`;
  return `root cause ${cause}${named}, events ${members.replace('_', ' ')}${note === undefined ? '' : `: ${note}`}`;
};

function lessonOf(
  tenant: string,
  { row, events }: ShownGroup,
  verdict: Verdict,
  named: Event | undefined,
): SideRecord[] {
  const scored = events.get(row.group.candidate?.eventId ?? '') ?? null;
  const root = named ?? (verdict.cause === 'right' ? scored : null);
  return root === null || verdict.cause === 'unknown'
    ? []
    : causeLesson(tenant, row.group.id, { verdict, root, scored });
}

export interface GroupVerdict extends Pick<Verdict, 'cause' | 'members'> {
  readonly correlationId: string;
  readonly rootEventId?: string | undefined;
  readonly note?: string | undefined;
}

export interface JudgedGroup {
  readonly shown: ShownGroup;
  readonly done: AssignmentChanged;
}

/** Replaces the verdict on a group. Throws Fault `not-found`, and `invalid` for a cause that is no member. */
export const judgeGroup = async (
  context: UseCaseContext,
  { correlationId, cause, members, note, rootEventId: named }: GroupVerdict,
): Promise<JudgedGroup> => {
  const { tenant, ports, caller, receivedAt: at } = context;
  const shown = await showGroup(context, correlationId);
  const root = named === undefined ? undefined : await memberNamed(ports, shown.row, named);
  const verdict: Verdict = {
    cause,
    members,
    by: actorOf(caller),
    at,
    ...(root && { rootEventId: root.id }),
    ...(note !== undefined && { note }),
  };
  const done = await changeAssignment(context, correlationId, {
    action: 'group.judged',
    kind: 'verdict',
    text: () => verdictText(verdict, root),
    sideRecords: (before, after) => [
      audited(context, { action: 'group.judged', target: { kind: 'group', id: shown.row.group.id }, before, after }),
      ...lessonOf(tenant, shown, verdict, root),
    ],
    change: (before) => (sameVerdict(before.verdict, verdict) ? before : { ...before, verdict }),
  });
  return { shown, done };
};
