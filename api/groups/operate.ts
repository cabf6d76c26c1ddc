import type { z } from 'zod';
import { type AnyEndpoint, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { findAssignees } from '#application/events/find-assignees.ts';
import { type GroupsDone, type GroupsWish, type GroupVerb, operate } from '#application/groups/operations/operate.ts';
import { undoOperation } from '#application/groups/operations/undo.ts';
import {
  AssignGroupsRequest,
  GroupsRequest,
  OperationReply,
  operationView,
  ResolveGroupsRequest,
  UndoRequest,
} from '#schemas/http/events/group-operations.ts';

const common = {
  tag: 'Correlation',
  permission: 'events.write',
  limit: 'query',
  takesLong: true,
} as const;
const EACH =
  'Ids are those of groups, or of events in none; each is answered for itself. One entry in the audit trail, one in the history of each group; `operationId` undoes it within 10 minutes. 202 when some are in the log and were not carried out in time (`queued`).';

const present = (done: GroupsDone) => ({
  status: done.results.some(({ queued }) => queued) ? 202 : 200,
  body: operationView(done),
});
const reply = OperationReply;

interface Named {
  readonly verb: Exclude<GroupVerb, 'assign' | 'resolve'>;
  readonly summary: string;
  readonly which: string;
}
const NAMED: readonly Named[] = [
  { verb: 'acknowledge', summary: 'Acknowledge groups', which: 'Acknowledges what is open.' },
  { verb: 'unacknowledge', summary: 'Withdraw the acknowledgement of groups', which: 'Opens what is acknowledged.' },
  {
    verb: 'reopen',
    summary: 'Reopen groups',
    which:
      'Opens what a person has resolved, and what is suppressed. What recovered by itself stays resolved, and so does an event of whose complaint another one is open.',
  },
];

const byVerb = ({ verb, summary, which }: Named): AnyEndpoint =>
  endpoint<GroupsWish, GroupsDone>({
    ...common,
    id: `events.groups-${verb}`,
    summary,
    description: `${which} ${EACH}`,
    mounts: [
      mount({
        on: 'events',
        method: 'post',
        path: `/groups/${verb}`,
        alsoStatus: [202],
        reply,
        present,
        body: GroupsRequest,
        read: ({ body }): GroupsWish => ({ verb, ...body }),
      }),
    ],
    handle: (wish, context) => operate(context, wish),
  });

const resolveGroups = endpoint<GroupsWish, GroupsDone>({
  ...common,
  id: 'events.groups-resolve',
  summary: 'Resolve groups',
  description: `Resolves what is not. ${EACH}`,
  mounts: [
    mount({
      on: 'events',
      method: 'post',
      path: '/groups/resolve',
      alsoStatus: [202],
      reply,
      present,
      body: ResolveGroupsRequest,
      read: ({ body: { resolutionCategory: category, ...body } }): GroupsWish => ({
        verb: 'resolve',
        ...body,
        ...(category && { category }),
      }),
    }),
  ],
  handle: (wish, context) => operate(context, wish),
});

const assignGroups = endpoint<z.output<typeof AssignGroupsRequest>, GroupsDone>({
  ...common,
  id: 'events.groups-assign',
  summary: 'Assign groups',
  description: `To a user and a team of the tenant, by id or name; null takes it away, what is left out stays. ${EACH}`,
  mounts: [
    mount({
      on: 'events',
      method: 'post',
      path: '/groups/assign',
      alsoStatus: [202],
      reply,
      present,
      body: AssignGroupsRequest,
      read: ({ body }) => body,
    }),
  ],
  async handle({ ids, user_id: user, team_id: team }, context) {
    const { ports, tenant, caller } = context;
    const asked = { user, team, caller, fields: ['user_id', 'team_id'] } as const;
    return operate(context, { verb: 'assign', ids, assignment: await findAssignees(ports.records, tenant, asked) });
  },
});

const undo = endpoint<z.output<typeof UndoRequest>, GroupsDone>({
  ...common,
  alsoFaults: ['not-found'],
  id: 'events.groups-undo',
  summary: 'Undo an operation on groups',
  description:
    'Within 10 minutes. Events that nobody has changed since are as they were before; what their monitors have ended stays so, and who was given a group since keeps it.',
  mounts: [
    mount({
      on: 'events',
      method: 'post',
      path: '/groups/undo',
      alsoStatus: [202],
      reply,
      present,
      body: UndoRequest,
      read: ({ body }) => body,
    }),
  ],
  handle: ({ operationId }, context) => undoOperation(context, operationId),
});

/** One thing that is done to several groups at once. */
export const groupOperations: readonly AnyEndpoint[] = [...NAMED.map(byVerb), resolveGroups, assignGroups, undo];
