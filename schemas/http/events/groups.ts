import { z } from 'zod';
import { GROUP_ENTRY_KINDS, type GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import {
  CAUSE_VERDICTS,
  GROUP_STATUSES,
  type GroupCare,
  type GroupState,
  isOn,
  type ListedGroup,
  MEMBER_VERDICTS,
  NAMES,
  type NamesOf,
  type Verdict,
} from '#domain/correlation/grouping/group-state.ts';
import { STEPS } from '#domain/correlation/grouping/groups.ts';
import type { ScoreParts } from '#domain/correlation/root-cause/candidate.ts';
import { CERTAIN } from '#domain/correlation/root-cause/certain.ts';
import { type Actor, type Event, eventIdOf, SEVERITIES, type Team } from '#domain/event/event.ts';
import { KNOWN_PATTERNS, type KnownPattern } from '#domain/event/identity/known-patterns.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';
import { EventBody, eventView } from './event-view.ts';
import { GroupAnalysis, groupAnalysis } from './group-view.ts';

/** Groups as people work with them. */

const Names = z
  .object({ names: z.array(z.string()), count: z.int().min(0) })
  .meta({ id: 'GroupNames', description: 'The most frequent names, at most 5, and how many there are' });
const ServicesHit = Names.meta({
  id: 'GroupServicesHit',
  description:
    'Services that are hit now: a member that is on, or the cause as long as it is on, or a CI that fails with the cause is a component. Those that are down first: at most 5 names, and how many there are. A list looks at the nearest 200 CIs, may be 30 s old, and waits 1 s for the graph: then those that it did not tell are missing.',
});
const ServicesEver = Names.meta({
  id: 'GroupServices',
  description:
    'Services that were hit at any time, those that are hit now included; at most 5 names, and how many there are',
});
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
  kind: z.enum(['group', 'event']).meta({
    description: 'event: an event in no group, listed with include=single; its correlationId is its eventId',
  }),
  title: z.string().nullable().meta({ description: 'Of the root-cause candidate' }),
  secondBest: z
    .object({ eventId: z.string(), title: z.string(), ciName: z.string().nullable() })
    .nullable()
    .meta({ description: `The best alternative, while the cause is less than ${CERTAIN} sure and there is one` }),
  status: z.enum(GROUP_STATUSES).meta({
    description:
      'resolved: no member is open or acknowledged; acknowledged: somebody has acknowledged the group, or each member that is not over; else active. Who joins an acknowledged group changes nothing, unless `worseSince`',
  }),
  growing: z.boolean().meta({ description: 'Whether it may still take members' }),
  severity: z
    .enum(SEVERITIES)
    .nullable()
    .meta({ description: 'Of the worst member that is open or acknowledged; when all are over, of the worst' }),
  counts: z.object({ open: count, acknowledged: count, suppressed: count, resolved: count }),
  cis: Names,
  services: ServicesEver,
  servicesHit: ServicesHit,
  sources: Names,
  hosts: Names,
  lastActivity: IsoTime,
  assignedTo: Person.nullable(),
  assignedTeam: TeamOf.nullable(),
  acknowledgedBy: Person.nullable().meta({
    description: 'Who acknowledged the group last; null: a monitor, or nobody',
  }),
  acknowledgedAt: IsoTime.nullable(),
  worseSince: IsoTime.nullable().meta({
    description:
      'Since when a member is worse than all that was acknowledged, or hits a further service: the group is active again',
  }),
  causeOverSince: IsoTime.nullable().meta({
    description: 'When the cause was over; null while it is not, or none is known',
  }),
  verdict: VerdictBody.nullable(),
  spark: z.array(count).length(STEPS).nullable().meta({
    description: 'How many members arrived in each of 24 equal steps of its time span; null when they were not counted',
  }),
};

export const SplitRequest = z
  .strictObject({
    eventIds: z.array(z.string().min(1).max(64)).min(1).max(1_000),
    reason: z.string().trim().min(1).max(4_096),
  })
  .meta({ id: 'GroupSplitRequest' });
export const SplitReply = succeeded({
  correlationId: z.string().nullable().meta({ description: 'The group of the events that left' }),
  status: z.string().optional().meta({ description: 'queued: it is in the log and was not carried out in time' }),
});

export const GroupRowBody = GroupAnalysis.extend(work).meta({ id: 'GroupRow' });
const Cause = z
  .object({
    event: EventBody,
    ci: z.object({ id: z.string(), name: z.string(), type: z.string() }).nullable(),
    confidence: z.number().min(0).max(1),
    reasoning: z.string(),
    parts: z
      .object({ coverage: z.number(), earliness: z.number(), severity: z.number(), knownPattern: z.number() })
      .nullable()
      .meta({ description: 'What the score is made of' }),
    pattern: z.enum(KNOWN_PATTERNS).nullable().meta({ description: 'The known cause that its title names' }),
    aheadMs: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'How much earlier than all other members it came, ms; null when it did not' }),
    alternatives: z.array(
      z.object({ eventId: z.string(), title: z.string().nullable(), ciName: z.string().nullable(), score: z.number() }),
    ),
    explains: z.array(z.object({ ciId: z.string(), name: z.string().nullable(), hops: z.int() })),
    explainsMore: z.boolean().meta({ description: 'It explains more CIs than are listed' }),
  })
  .meta({ id: 'GroupCause' });
const Entry = z.object({ at: IsoTime, by: Person, text: z.string() });

/** Added to a row by `GET /groups/{id}`. */
export const GroupDetailFields = {
  aliases: z.array(z.string()),
  cause: Cause.nullable(),
  summary: z.string(),
  impactedServices: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      criticality: z.string(),
      impact: z.enum(['full_outage', 'degraded_functionality']),
    }),
  ),
  notes: z.array(Entry),
  history: z.array(Entry.extend({ kind: z.enum(GROUP_ENTRY_KINDS) })),
};

export const GroupBody = GroupAnalysis.extend({ ...work, rootCause: EventBody.nullable() }).meta({ id: 'Group' });

export const personView = ({ id, username, name }: Actor) => ({ _id: id, username, name });
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

/** Services that are hit now, and those that ever were. */
export interface HitContext {
  readonly now: readonly Hit[];
  readonly ever: readonly Hit[];
}
interface Hit {
  readonly service: { readonly name: string };
  readonly impact: 'full_outage' | 'degraded_functionality';
}
/** Those that are down come first. */
export const namesOfServices = (hits: readonly Hit[]) => {
  const isDown = ({ impact }: Hit): number => Number(impact === 'full_outage');
  const names = [...hits].sort((a, b) => isDown(b) - isDown(a)).map(({ service }) => service.name);
  return { names: names.slice(0, NAMES), count: names.length };
};

/** When an event that is over was last moved, ms. */
export const overSince = ({ resolvedAt, history, lastOccurrence }: Event): number =>
  resolvedAt ?? history.findLast(({ from, to }) => from !== to)?.at ?? lastOccurrence;

const acknowledgedView = ({ status }: GroupState, { acknowledged }: GroupCare, root: Event | null) => {
  // Where members were acknowledged one by one, that of the cause is shown.
  const by = acknowledged === undefined ? root?.acknowledgedBy : acknowledged.by;
  const at = acknowledged === undefined ? root?.acknowledgedAt : acknowledged.at;
  const worse = status === 'active' ? acknowledged?.worse : undefined;
  return {
    acknowledgedBy: by ? personView(by) : null,
    acknowledgedAt: at === undefined ? null : iso(at),
    worseSince: worse === undefined ? null : iso(worse.since),
  };
};

/** Fields shown with a row. */
export interface GroupContext {
  /** The root-cause candidate. */
  readonly root: Event | null;
  readonly hit: HitContext;
  /** The best alternative of a cause that is not certain. */
  readonly second: Event | null;
  /** Event time of the tenant's first new event, ms. */
  readonly first: number | null;
  /** A group without an arrival since then takes no more members, ms. */
  readonly quietBefore: number;
}

/** Without the event of the cause. */
export const groupRowView = (
  { group, state, care }: ListedGroup,
  { root, hit, second, first, quietBefore }: GroupContext,
): z.output<typeof GroupRowBody> => ({
  kind: 'group',
  ...groupAnalysis(group, first),
  title: root?.title ?? null,
  secondBest: second && { eventId: eventIdOf(second.id), title: second.title, ciName: second.ci?.name ?? null },
  status: state.status,
  growing: group.status === 'open' && group.last >= quietBefore,
  severity: state.severity,
  counts: state.counts,
  cis: namesView(state.names.ci),
  services: namesOfServices(hit.ever),
  servicesHit: namesOfServices(hit.now),
  sources: namesView(state.names.source),
  hosts: namesView(state.names.host),
  lastActivity: iso(state.lastActivity),
  assignedTo: care.assignedTo === undefined ? null : personView(care.assignedTo),
  assignedTeam: care.assignedTeam === undefined ? null : teamView(care.assignedTeam),
  ...acknowledgedView(state, care, root),
  causeOverSince: root === null || isOn(root.status) ? null : iso(overSince(root)),
  verdict: care.verdict === undefined ? null : verdictView(care.verdict),
  spark: group.spark === undefined ? null : [...group.spark],
});

export const groupView = (row: ListedGroup, context: GroupContext) => ({
  ...groupRowView(row, context),
  rootCause: context.root === null ? null : eventView(context.root, { correlationId: row.group.id, inGroup: null }),
});

const entryView = ({ at, by, text }: GroupEntry) => ({ at: iso(at), by: personView(by), text });

/** Fields of a group beyond its row. */
interface GroupDetail {
  readonly row: ListedGroup;
  readonly root: Event | null;
  readonly parts: ScoreParts | null;
  readonly pattern: KnownPattern | null;
  readonly aheadMs: number | null;
  readonly events: ReadonlyMap<string, Event>;
  readonly cis: ReadonlyMap<string, Pick<Ci, 'name' | 'type'>>;
  readonly summary: string;
  readonly hit: {
    readonly now: readonly {
      readonly service: { readonly id: string; readonly name: string; readonly criticality: string };
      readonly impact: 'full_outage' | 'degraded_functionality';
    }[];
  };
  readonly entries: readonly GroupEntry[];
}

const causeView = ({ row: { group }, root, parts, pattern, aheadMs, events, cis }: GroupDetail) => {
  const { candidate } = group;
  if (candidate === null || root === null) return null;
  const { ci } = root;
  return {
    event: eventView(root, { correlationId: group.id, inGroup: null }),
    ci: ci && { id: ci.id, name: cis.get(ci.id)?.name ?? ci.name, type: cis.get(ci.id)?.type ?? ci.type },
    confidence: candidate.confidence,
    reasoning: candidate.reasoning,
    parts,
    pattern,
    aheadMs,
    alternatives: candidate.alternatives
      .toSorted((a, b) => b.score - a.score)
      .map(({ eventId, score }) => {
        const event = events.get(eventId);
        return { eventId: eventIdOf(eventId), title: event?.title ?? null, ciName: event?.ci?.name ?? null, score };
      }),
    explains: candidate.explains.map(({ ciId, hops }) => ({ ciId, name: cis.get(ciId)?.name ?? null, hops })),
    explainsMore: (candidate.explained ?? 0) > candidate.explains.length,
  };
};

/** The fields of `GroupDetailFields`. */
export const groupDetail = (detail: GroupDetail) => ({
  aliases: [...detail.row.group.aliases],
  cause: causeView(detail),
  summary: detail.summary,
  impactedServices: detail.hit.now.map(({ service: { id, name, criticality }, impact }) => ({
    id,
    name,
    criticality,
    impact,
  })),
  notes: detail.entries.filter(({ kind }) => kind === 'note').map(entryView),
  history: detail.entries.map((entry) => ({ ...entryView(entry), kind: entry.kind })),
});
