import { z } from 'zod';
import { type AnyEndpoint, endpoint, on } from '#api/surfaces/endpoint.ts';
import { findAssignees } from '#application/events/find-assignees.ts';
import { assigneesText, givenTo } from '#application/groups/assignees.ts';
import { type AssignmentChanged, changeAssignment, noteOnGroup } from '#application/groups/assignment.ts';
import { judgeGroup } from '#application/groups/judge-group.ts';
import { type ShownGroup, showGroup } from '#application/groups/show-group.ts';
import type { GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import { CAUSE_VERDICTS, MEMBER_VERDICTS } from '#domain/correlation/grouping/group-state.ts';
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

const judge = endpoint<VerdictInput, ShownGroup>({
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
  async handle(verdict, context) {
    const { shown, done } = await judgeGroup(context, verdict);
    return withCare(shown, done);
  },
});

/** User actions on groups. */
export const groupActions: readonly AnyEndpoint[] = [assignGroup, noteGroup, judge];
