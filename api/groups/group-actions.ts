import { z } from 'zod';
import { type AnyEndpoint, endpoint, on } from '#api/surfaces/endpoint.ts';
import { actorOf } from '#application/access/actor.ts';
import { audited } from '#application/access/audit.ts';
import { findAssignees } from '#application/events/find-assignees.ts';
import { assigneesText, givenTo } from '#application/groups/assignees.ts';
import { type AssignmentChanged, changeAssignment, noteOnGroup } from '#application/groups/assignment.ts';
import { causeLesson } from '#application/groups/cause-lessons.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { type ShownGroup, showGroup } from '#application/groups/show-group.ts';
import type { GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import { CAUSE_VERDICTS, MEMBER_VERDICTS, type Verdict } from '#domain/correlation/grouping/group-state.ts';
import { type Event, parseEventId } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import { invalid } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { NoteRequest } from '#schemas/http/events/events.ts';
import { GroupBody, GroupDetailFields, groupDetail, groupView } from '#schemas/http/events/groups.ts';

const params = z.object({ correlationId: z.string() });
const reply = succeeded({ group: GroupBody.extend(GroupDetailFields) });
const present = (shown: ShownGroup) => ({ body: { group: { ...groupView(shown.row, shown), ...groupDetail(shown) } } });

const AssigneeRequest = z
  .strictObject({
    user_id: z.string().min(1).max(256).nullable().optional(),
    team_id: z.string().min(1).max(256).nullable().optional(),
  })
  .refine(({ user_id, team_id }) => user_id !== undefined || team_id !== undefined, {
    path: ['user_id'],
    message: 'expected user_id, team_id or both; null unassigns',
  })
  .meta({ id: 'GroupAssigneeRequest', minProperties: 1 });

const VerdictRequest = z
  .strictObject({
    cause: z.enum(CAUSE_VERDICTS),
    rootEventId: z.string().max(64).optional().meta({ description: 'ID of the event that was the actual root cause' }),
    members: z.enum(MEMBER_VERDICTS),
    note: z.string().min(1).max(4_096).optional(),
  })
  .meta({ id: 'GroupVerdictRequest' });

type AssigneeInput = z.output<typeof AssigneeRequest> & z.output<typeof params>;
type VerdictInput = z.output<typeof VerdictRequest> & z.output<typeof params>;

/**
 * Returns the group as it was read before the change, with the written entry: a later failure must not fail the
 * request.
 */
const withEntry = (shown: ShownGroup, entry: GroupEntry | null): ShownGroup =>
  entry === null ? shown : { ...shown, entries: [...shown.entries, entry] };
const withCare = (shown: ShownGroup, { care, entry }: AssignmentChanged): ShownGroup =>
  withEntry({ ...shown, row: { ...shown.row, care } }, entry);

const common = { tag: 'Correlation', permission: 'events.write', limit: 'query' } as const;

const assignGroup = endpoint<AssigneeInput, ShownGroup>({
  ...common,
  id: 'events.group-assignee',
  summary: 'Assign a group',
  description: 'User and team by ID or name. null unassigns; omitted fields are unchanged.',
  mounts: on.events.put('/groups/{correlationId}/assignee', {
    params,
    reply,
    present,
    body: AssigneeRequest,
    read: ({ params, body }): AssigneeInput => ({ ...params, ...body }),
  }),
  async handle({ correlationId, user_id: user, team_id: team }, context) {
    const { tenant, ports, caller } = context;
    const shown = await showGroup(context, correlationId);
    const wanted = await findAssignees(ports.records, tenant, { user, team, caller, fields: ['user_id', 'team_id'] });
    const done = await changeAssignment(context, correlationId, {
      action: 'group.assigned',
      kind: 'assigned',
      text: assigneesText,
      change: givenTo(wanted),
    });
    return withCare(shown, done);
  },
});

export const noteGroup = endpoint<z.output<typeof params> & { readonly text: string }, ShownGroup>({
  ...common,
  id: 'events.group-notes',
  summary: 'Add a note to a group',
  mounts: on.events.post('/groups/{correlationId}/notes', {
    params,
    reply,
    present,
    body: NoteRequest,
    read: ({ params, body }) => ({ ...params, text: body.text }),
  }),
  async handle({ correlationId, text }, context) {
    const shown = await showGroup(context, correlationId);
    return withEntry(shown, await noteOnGroup(context, correlationId, text));
  },
});

/** Returns a member. Throws Fault `invalid` for other events. */
const memberNamed = async (ports: Ports, tenant: string, id: string, text: string): Promise<Event> => {
  const { group } = await findGroup(ports, tenant, id);
  const eventId = parseEventId(text);
  const event = eventId === null ? null : await ports.events.get(tenant, eventId);
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

const judgeGroup = endpoint<VerdictInput, ShownGroup>({
  ...common,
  id: 'events.group-verdict',
  summary: 'Record a verdict on a group',
  description: 'Replaces the previous verdict. See GET /api/events/quality.',
  mounts: on.events.put('/groups/{correlationId}/verdict', {
    params,
    reply,
    present,
    body: VerdictRequest,
    read: ({ params, body }): VerdictInput => ({ ...params, ...body }),
  }),
  async handle({ correlationId, cause, members, note, rootEventId: named }, context) {
    const { tenant, ports, caller, receivedAt: at } = context;
    const shown = await showGroup(context, correlationId);
    const root = named === undefined ? undefined : await memberNamed(ports, tenant, correlationId, named);
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
    return withCare(shown, done);
  },
});

/** User actions on groups. */
export const groupActions: readonly AnyEndpoint[] = [assignGroup, noteGroup, judgeGroup];
