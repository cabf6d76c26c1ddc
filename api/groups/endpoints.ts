import { z } from 'zod';
import { type AnyEndpoint, endpoint, on } from '#api/surfaces/endpoint.ts';
import { findAssignees } from '#application/events/find-assignees.ts';
import {
  type GroupsDone,
  type GroupsOperationInput,
  type GroupVerb,
  operate,
} from '#application/groups/operations/operate.ts';
import { undoOperation } from '#application/groups/operations/undo.ts';
import { type Quality, qualityOf } from '#application/groups/quality.ts';
import { type ShownGroup, showGroup } from '#application/groups/show-group.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { AiAnalysisBody, incidentView } from '#schemas/http/events/analysis-view.ts';
import {
  AssignGroupsRequest,
  GroupsRequest,
  OperationReply,
  operationView,
  ResolveGroupsRequest,
  UndoRequest,
} from '#schemas/http/events/group-operations.ts';
import { GroupBody, GroupDetailFields, groupDetail, groupView } from '#schemas/http/events/groups.ts';
import { QualityBody } from '#schemas/http/events/quality.ts';
import { TIME_RANGES, TimeRange } from '#schemas/http/time.ts';
import { groupActions } from './group-actions.ts';
import { groupGraph } from './group-graph.ts';
import { groupMembers } from './group-members.ts';
import { groupTimeline } from './group-timeline.ts';
import { listGroups } from './list-groups.ts';
import { splitGroup } from './split-group.ts';

const common = { tag: 'Correlation', permission: 'events.write', limit: 'query', takesLong: true } as const;
const EACH =
  "Accepts IDs of groups and ungrouped events; each gets its own result. Recorded in the audit log and in each group's history. `operationId` can undo it for 10 minutes. Returns 202 if some changes are `queued`.";

const present = (done: GroupsDone) => ({
  status: done.results.some(({ queued }) => queued) ? 202 : 200,
  body: operationView(done),
});
const reply = OperationReply;

interface VerbSummary {
  readonly verb: Exclude<GroupVerb, 'assign' | 'resolve'>;
  readonly summary: string;
  readonly which: string;
}
const NAMED: readonly VerbSummary[] = [
  { verb: 'unacknowledge', summary: 'Unacknowledge groups', which: 'Reopens acknowledged events.' },
  {
    verb: 'reopen',
    summary: 'Reopen groups',
    which:
      'Reopens suppressed and manually resolved events. Events resolved by their source stay resolved, as do events whose problem has another open event.',
  },
];

const byVerb = ({ verb, summary, which }: VerbSummary): AnyEndpoint =>
  endpoint<GroupsOperationInput, GroupsDone>({
    ...common,
    id: `events.groups-${verb}`,
    summary,
    description: `${which} ${EACH}`,
    mounts: on.events.post(`/groups/${verb}`, {
      alsoStatus: [202],
      reply,
      present,
      body: GroupsRequest,
      read: ({ body }): GroupsOperationInput => ({ verb, ...body }),
    }),
    handle: (wish, context) => operate(context, wish),
  });

export const acknowledgeGroups = byVerb({
  verb: 'acknowledge',
  summary: 'Acknowledge groups',
  which: 'Acknowledges open events.',
});

const resolveGroups = endpoint<GroupsOperationInput, GroupsDone>({
  ...common,
  id: 'events.groups-resolve',
  summary: 'Resolve groups',
  description: `Resolves unresolved events. ${EACH}`,
  mounts: on.events.post('/groups/resolve', {
    alsoStatus: [202],
    reply,
    present,
    body: ResolveGroupsRequest,
    read: ({ body: { resolutionCategory: category, ...body } }): GroupsOperationInput => ({
      verb: 'resolve',
      ...body,
      ...(category && { category }),
    }),
  }),
  handle: (wish, context) => operate(context, wish),
});

const assignGroups = endpoint<z.output<typeof AssignGroupsRequest>, GroupsDone>({
  ...common,
  id: 'events.groups-assign',
  summary: 'Assign groups',
  description: `User and team by ID or name. null unassigns; omitted fields are unchanged. ${EACH}`,
  mounts: on.events.post('/groups/assign', {
    alsoStatus: [202],
    reply,
    present,
    body: AssignGroupsRequest,
    read: ({ body }) => body,
  }),
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
    "Available for 10 minutes. Restores events that weren't changed since. Events resolved by their source stay resolved; later assignments are kept.",
  mounts: on.events.post('/groups/undo', {
    alsoStatus: [202],
    reply,
    present,
    body: UndoRequest,
    read: ({ body }) => body,
  }),
  handle: ({ operationId }, context) => undoOperation(context, operationId),
});

/** One thing that is done to several groups at once. */
const groupOperations: readonly AnyEndpoint[] = [
  acknowledgeGroups,
  ...NAMED.map(byVerb),
  resolveGroups,
  assignGroups,
  undo,
];

const qualityView = ({ isTruncated, byStrategy, byCiType, calibration, corrections, ...quality }: Quality) => {
  const { isTruncated: truncated, ...mended } = corrections;
  return {
    ...quality,
    corrections: { ...mended, truncated },
    calibration: { ...calibration, bins: [...calibration.bins] },
    byStrategy: [...byStrategy],
    byCiType: [...byCiType],
    truncated: isTruncated,
  };
};

const getQuality = endpoint<{ readonly lastMs: number }, Quality>({
  id: 'events.quality',
  summary: 'Get correlation quality',
  description:
    'Verdicts by strategy of the best root-cause link and by CI type, up to 1,000 groups per verdict, with manual corrections.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/quality', {
    query: z.strictObject({ timeRange: TimeRange.default('7d') }),
    reply: succeeded({ quality: QualityBody }),
    read: ({ query }) => ({ lastMs: TIME_RANGES[query.timeRange] }),
    present: (quality) => ({ body: { quality: qualityView(quality) } }),
  }),
  handle: ({ lastMs }, { tenant, ports, receivedAt }) => qualityOf(ports, tenant, receivedAt - lastMs),
});

const params = z.object({ correlationId: z.string() });

const getGroup = endpoint<z.output<typeof params>, ShownGroup>({
  id: 'events.group',
  summary: 'Get a correlation group',
  description: 'Accepts IDs from before a merge. The analysis runs 30 seconds after the last change.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/groups/{correlationId}', {
    params,
    reply: succeeded({ group: GroupBody.extend({ ...GroupDetailFields, aiAnalysis: AiAnalysisBody.optional() }) }),
    read: ({ params }) => params,
    present: (shown) => ({
      body: { group: { ...groupView(shown.row, shown), ...groupDetail(shown), ...incidentView(shown.incident) } },
    }),
  }),
  handle: ({ correlationId }, context) => showGroup(context, correlationId),
});

export const groupEndpoints: readonly AnyEndpoint[] = [
  listGroups,
  getGroup,
  groupMembers,
  groupTimeline,
  groupGraph,
  ...groupActions,
  ...groupOperations,
  splitGroup,
  getQuality,
];
