import { z } from 'zod';
import { type AnyEndpoint, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { actorOf } from '#application/access/actor.ts';
import { findAssignees } from '#application/events/find-assignees.ts';
import { type CareChanged, changeCare, noteOnGroup } from '#application/groups/care.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { givenTo, keptText } from '#application/groups/keepers.ts';
import { type ShownGroup, showGroup } from '#application/groups/show-group.ts';
import type { GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import { CAUSE_VERDICTS, MEMBER_VERDICTS, type Verdict } from '#domain/correlation/grouping/group-state.ts';
import { type Event, parseEventId } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import { invalid } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
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
    message: 'expected user_id or team_id, or both; null takes it away',
  })
  .meta({ id: 'GroupAssigneeRequest', minProperties: 1 });

const VerdictRequest = z
  .strictObject({
    cause: z.enum(CAUSE_VERDICTS),
    rootEventId: z.string().max(64).optional().meta({ description: 'The member that was the cause' }),
    members: z.enum(MEMBER_VERDICTS),
    note: z.string().min(1).max(4_096).optional(),
  })
  .meta({ id: 'GroupVerdictRequest' });

type AssigneeInput = z.output<typeof AssigneeRequest> & z.output<typeof params>;
type VerdictInput = z.output<typeof VerdictRequest> & z.output<typeof params>;

/** The group as it was read before the change, with what was written: nothing that fails afterwards may fail the request. */
const withEntry = (shown: ShownGroup, entry: GroupEntry | null): ShownGroup =>
  entry === null ? shown : { ...shown, entries: [...shown.entries, entry] };
const withCare = (shown: ShownGroup, { care, entry }: CareChanged): ShownGroup =>
  withEntry({ ...shown, row: { ...shown.row, care } }, entry);

const common = { tag: 'Correlation', permission: 'events.write', limit: 'query' } as const;

const assignGroup = endpoint<AssigneeInput, ShownGroup>({
  ...common,
  id: 'events.group-assignee',
  summary: 'Say who takes care of a group',
  description: 'A user and a team of the tenant, by id or name; null takes it away, what is left out stays.',
  mounts: [
    mount({
      on: 'events',
      method: 'put',
      path: '/groups/{correlationId}/assignee',
      params,
      reply,
      present,
      body: AssigneeRequest,
      read: ({ params, body }): AssigneeInput => ({ ...params, ...body }),
    }),
  ],
  async handle({ correlationId, user_id: user, team_id: team }, context) {
    const { tenant, ports, caller } = context;
    const shown = await showGroup(context, correlationId);
    const wanted = await findAssignees(ports.records, tenant, { user, team, caller, fields: ['user_id', 'team_id'] });
    const done = await changeCare(context, correlationId, {
      action: 'group.assigned',
      kind: 'assigned',
      text: keptText,
      change: givenTo(wanted),
    });
    return withCare(shown, done);
  },
});

const noteGroup = endpoint<z.output<typeof params> & { readonly text: string }, ShownGroup>({
  ...common,
  id: 'events.group-notes',
  summary: 'Note something on a group',
  mounts: [
    mount({
      on: 'events',
      method: 'post',
      path: '/groups/{correlationId}/notes',
      params,
      reply,
      present,
      body: NoteRequest,
      read: ({ params, body }) => ({ ...params, text: body.text }),
    }),
  ],
  async handle({ correlationId, text }, context) {
    const shown = await showGroup(context, correlationId);
    return withEntry(shown, await noteOnGroup(context, correlationId, text));
  },
});

/** A member. Throws Fault `invalid` for what is none. */
const memberNamed = async (ports: Ports, tenant: string, id: string, text: string): Promise<Event> => {
  const { group } = await findGroup(ports, tenant, id);
  const eventId = parseEventId(text);
  const event = eventId === null ? null : await ports.events.get(tenant, eventId);
  if (event === null || ![group.id, ...group.aliases].includes(event.correlationId ?? ''))
    throw invalid('rootEventId', `no member of the group has the id ${text}`);
  return event;
};

const sameVerdict = (a: Verdict | undefined, b: Verdict): boolean =>
  a !== undefined && (['cause', 'rootEventId', 'members', 'note'] as const).every((field) => a[field] === b[field]);

const verdictText = ({ cause, members, note }: Verdict, root: Event | undefined): string => {
  const named = root === undefined ? '' : ` (it was ${eventWords(root)})`;
  return `cause ${cause}${named}, members ${members.replace('_', ' ')}${note === undefined ? '' : `: ${note}`}`;
};

const judgeGroup = endpoint<VerdictInput, ShownGroup>({
  ...common,
  id: 'events.group-verdict',
  summary: 'Say whether the cause of a group and its members were right',
  description: 'The last word counts; `GET /api/events/quality` counts the verdicts.',
  mounts: [
    mount({
      on: 'events',
      method: 'put',
      path: '/groups/{correlationId}/verdict',
      params,
      reply,
      present,
      body: VerdictRequest,
      read: ({ params, body }): VerdictInput => ({ ...params, ...body }),
    }),
  ],
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
    const done = await changeCare(context, correlationId, {
      action: 'group.judged',
      kind: 'verdict',
      text: () => verdictText(verdict, root),
      change: (before) => (sameVerdict(before.verdict, verdict) ? before : { ...before, verdict }),
    });
    return withCare(shown, done);
  },
});

/** Actions of people on groups. */
export const groupActions: readonly AnyEndpoint[] = [assignGroup, noteGroup, judgeGroup];
