import { z } from 'zod';
import {
  CAUSE_VERDICTS,
  GROUP_STATUSES,
  type GroupRow,
  MEMBER_VERDICTS,
  type NamesOf,
  type Verdict,
} from '#domain/correlation/grouping/group-state.ts';
import { type Actor, type Event, eventIdOf, SEVERITIES, type Team } from '#domain/event/event.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';
import { EventBody, eventView } from './event-view.ts';
import { GroupAnalysis, groupAnalysis } from './group-view.ts';

/** Groups as people work with them. */

const Names = z
  .object({ names: z.array(z.string()), count: z.int().min(0) })
  .meta({ id: 'GroupNames', description: 'The most frequent names, at most 5, and how many there are' });
const Person = z.object({ _id: z.string(), username: z.string(), name: z.string() });
const TeamOf = z.object({ _id: z.string(), name: z.string() });

const VerdictBody = z
  .object({
    cause: z.enum(CAUSE_VERDICTS),
    rootEventId: z.string().optional(),
    members: z.enum(MEMBER_VERDICTS),
    note: z.string().optional(),
    by: Person,
    at: IsoTime,
  })
  .meta({ id: 'GroupVerdict' });

const count = z.int().min(0);
const work = {
  title: z.string().nullable().meta({ description: 'Of the root-cause candidate' }),
  status: z.enum(GROUP_STATUSES).meta({
    description: 'active: a member is open; acknowledged: none is, but one is acknowledged; else resolved',
  }),
  growing: z.boolean().meta({ description: 'Whether it may still take members' }),
  severity: z.enum(SEVERITIES).nullable().meta({ description: 'Of the worst open member, else of the worst' }),
  counts: z.object({ open: count, acknowledged: count, suppressed: count, resolved: count }),
  cis: Names,
  services: Names,
  sources: Names,
  hosts: Names,
  lastActivity: IsoTime,
  assignedTo: Person.nullable(),
  assignedTeam: TeamOf.nullable(),
  acknowledgedBy: Person.nullable().meta({ description: 'Who acknowledged the cause' }),
  acknowledgedAt: IsoTime.nullable(),
  verdict: VerdictBody.nullable(),
};

export const GroupRowBody = GroupAnalysis.extend(work).meta({ id: 'GroupRow' });
export const GroupBody = GroupAnalysis.extend({ ...work, rootCause: EventBody.nullable() }).meta({ id: 'Group' });

const personView = ({ id, username, name }: Actor) => ({ _id: id, username, name });
const teamView = ({ id, name }: Team) => ({ _id: id, name });
const namesView = ({ names, count: all }: NamesOf) => ({ names: [...names], count: all });
const verdictView = ({ cause, rootEventId, members, note, by, at }: Verdict) => ({
  cause,
  ...(rootEventId !== undefined && { rootEventId: eventIdOf(rootEventId) }),
  members,
  ...(note !== undefined && { note }),
  by: personView(by),
  at: iso(at),
});

/** What a row is shown with. */
export interface GroupContext {
  /** The root-cause candidate. */
  readonly root: Event | null;
  /** Event time of the tenant's first new event, ms. */
  readonly first: number | null;
  /** A group without an arrival since then takes no more members, ms. */
  readonly quietBefore: number;
}

/** Without the event of the cause. */
export const groupRowView = (
  { group, state, care }: GroupRow,
  { root, first, quietBefore }: GroupContext,
): z.output<typeof GroupRowBody> => ({
  ...groupAnalysis(group, first),
  title: root?.title ?? null,
  status: state.status,
  growing: group.status === 'open' && group.last >= quietBefore,
  severity: state.severity,
  counts: state.counts,
  cis: namesView(state.names.ci),
  services: namesView(state.names.service),
  sources: namesView(state.names.source),
  hosts: namesView(state.names.host),
  lastActivity: iso(state.lastActivity),
  assignedTo: care.assignedTo === undefined ? null : personView(care.assignedTo),
  assignedTeam: care.assignedTeam === undefined ? null : teamView(care.assignedTeam),
  acknowledgedBy: root?.acknowledgedBy === undefined ? null : personView(root.acknowledgedBy),
  acknowledgedAt: root?.acknowledgedAt === undefined ? null : iso(root.acknowledgedAt),
  verdict: care.verdict === undefined ? null : verdictView(care.verdict),
});

export const groupView = (row: GroupRow, context: GroupContext) => ({
  ...groupRowView(row, context),
  rootCause: context.root === null ? null : eventView(context.root, { correlationId: row.group.id, inGroup: null }),
});
