import { z } from 'zod';
import { GROUP_ENTRY_KINDS, type GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import {
  CAUSE_VERDICTS,
  GROUP_STATUSES,
  type GroupAssignment,
  type GroupState,
  isOn,
  type ListedGroup,
  MEMBER_VERDICTS,
  type NamesOf,
  SET_BY_USER,
  type Verdict,
} from '#domain/correlation/grouping/group-state.ts';
import { STEPS } from '#domain/correlation/grouping/groups.ts';
import { EVIDENCE_KINDS } from '#domain/correlation/records.ts';
import type { ScoreParts } from '#domain/correlation/root-cause/candidate.ts';
import { CERTAIN } from '#domain/correlation/root-cause/certain.ts';
import { type Actor, type Event, eventIdOf, SEVERITIES, type Team } from '#domain/event/event.ts';
import { KNOWN_PATTERNS, type KnownPattern } from '#domain/event/identity/known-patterns.ts';
import { ownerOf } from '#domain/topology/fields.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';
import { EventBody, eventView } from './event-view.ts';
import { GroupAnalysis, groupAnalysis } from './group-view.ts';

/** Groups as users work with them. */

/** Enough for the page of services to count all problems of each. */
const SERVICE_NAMES = 100;

const Names = z
  .object({ names: z.array(z.string()), count: z.int().min(0) })
  .meta({ id: 'GroupNames', description: 'Most frequent names, up to 5, and the total' });
const ServicesHit = Names.meta({
  id: 'GroupServicesHit',
  description: `Services currently affected: those with a component that has an active event, is the active root cause, or depends on one of these within 3 hops. Down first, which requires a critical event; up to ${SERVICE_NAMES} names and the total. Groups evaluate the nearest 200 CIs of up to 50 events, may be 30 seconds old, and omit services if the graph takes longer than 1 second.`,
});
const ServicesEver = Names.meta({
  id: 'GroupServices',
  description: `Services affected at any time, including now; up to ${SERVICE_NAMES} names and the total`,
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
  title: z.string().nullable().meta({ description: 'Title of the root cause' }),
  causeName: z.string().nullable().meta({ description: 'CI of the root cause, else its host' }),
  secondBest: z
    .object({ eventId: z.string(), title: z.string(), ciName: z.string().nullable() })
    .nullable()
    .meta({ description: `Best alternative, present while root-cause confidence is below ${CERTAIN}` }),
  status: z.enum(GROUP_STATUSES).meta({
    description:
      "resolved: no event is open or acknowledged; acknowledged: the group, or every unresolved event, was acknowledged; otherwise active. New events don't reactivate an acknowledged group, except as `worseSince` describes",
  }),
  growing: z.boolean().meta({ description: 'True if new events can still join the group' }),
  severity: z
    .enum(SEVERITIES)
    .nullable()
    .meta({ description: 'Highest severity among open and acknowledged events; among all events if none are' }),
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
    description: 'User who last acknowledged the group; null: source, or not acknowledged',
  }),
  acknowledgedAt: IsoTime.nullable(),
  worseSince: IsoTime.nullable().meta({
    description:
      'Time when an event became more severe than those acknowledged, or affected another service; the group became active again',
  }),
  causeByParts: z
    .object({ id: z.string(), name: z.string(), type: z.string() })
    .nullable()
    .meta({ description: 'CI of the root cause, if it has no event and its instances report the problem' }),
  causeOverSince: IsoTime.nullable().meta({ description: 'End of the root cause; null while active or unknown' }),
  verdict: VerdictBody.nullable(),
  spark: z.array(count).length(STEPS).nullable().meta({
    description: 'Events per step in 24 equal steps of the time span; null if not counted',
  }),
};

export const SplitRequest = z
  .strictObject({
    eventIds: z.array(z.string().min(1).max(64)).min(1).max(1_000),
    reason: z.string().trim().min(1).max(4_096),
  })
  .meta({ id: 'GroupSplitRequest' });
export const SplitReply = succeeded({
  correlationId: z.string().nullable().meta({ description: 'Group that the split events moved to; null: ungrouped' }),
  status: z.string().optional().meta({ description: 'queued: logged, not yet applied' }),
});

export const GroupRowBody = GroupAnalysis.extend(work).meta({ id: 'GroupRow' });
const Evidence = z
  .object({
    kind: z.enum(EVIDENCE_KINDS).meta({
      description: 'own: reported by the CI; parts: reported by its instances; symptom: latency, errors or traffic',
    }),
    eventId: z.string(),
    title: z.string().nullable(),
    worth: z.number().min(0),
    cis: z.int().min(0).meta({ description: 'CIs of the group that report it' }),
    habit: z.number().min(0).meta({ description: 'Earlier occurrences on the CI, weighted by age' }),
    parts: z.object({ saying: z.int(), all: z.int() }).optional().meta({ description: 'Instances that report it' }),
  })
  .meta({ id: 'GroupEvidence' });
const Cause = z
  .object({
    event: EventBody,
    ci: z.object({ id: z.string(), name: z.string(), type: z.string() }).nullable(),
    owner: z.string().nullable().meta({ description: 'Field `owner` or `team` of the CI' }),
    confidence: z.number().min(0).max(1),
    score: z.number().nullable().meta({ description: 'Unit of the scores of alternatives; null: set by a user' }),
    reasoning: z.string(),
    parts: z
      .object({
        coverage: z.number(),
        evidence: z.number(),
        earliness: z.number(),
        severity: z.number(),
        knownPattern: z.number(),
      })
      .nullable()
      .meta({ description: 'Score components' }),
    pattern: z.enum(KNOWN_PATTERNS).nullable().meta({ description: 'Known root-cause pattern matched by the title' }),
    aheadMs: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: "Lead over the next event, ms; null if it wasn't first" }),
    evidence: z.array(Evidence).meta({ description: 'Problems that point to this CI, strongest first' }),
    alternatives: z.array(
      z.object({ eventId: z.string(), title: z.string().nullable(), ciName: z.string().nullable(), score: z.number() }),
    ),
    explains: z.array(z.object({ ciId: z.string(), name: z.string().nullable(), hops: z.int() })),
    explainsMore: z.boolean().meta({ description: 'True if more CIs are explained than listed' }),
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

/** Services affected now, and ones that ever were. */
export interface HitContext {
  readonly now: readonly AffectedService[];
  readonly ever: readonly AffectedService[];
}
interface AffectedService {
  readonly service: { readonly name: string };
  readonly impact: 'full_outage' | 'degraded_functionality';
}
/** Returns the names, unavailable services first. */
export const namesOfServices = (hits: readonly AffectedService[]) => {
  const isDown = ({ impact }: AffectedService): number => Number(impact === 'full_outage');
  const names = [...hits].sort((a, b) => isDown(b) - isDown(a)).map(({ service }) => service.name);
  return { names: names.slice(0, SERVICE_NAMES), count: names.length };
};

/** Returns the last change of an event that is over, ms. */
export const overSince = ({ resolvedAt, history, lastOccurrence }: Event): number =>
  resolvedAt ?? history.findLast(({ from, to }) => from !== to)?.at ?? lastOccurrence;

const acknowledgedView = ({ status }: GroupState, { acknowledged }: GroupAssignment, root: Event | null) => {
  // The acknowledgment of the cause is shown where members were acknowledged one by one.
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
  /** The CI of a root cause that has no event of its own. */
  readonly whole: Pick<Ci, 'id' | 'name' | 'type'> | null;
  /** Event time of the tenant's first new event, ms. */
  readonly first: number | null;
  /** A group without an arrival since then accepts no more members, ms. */
  readonly quietBefore: number;
}

/** Returns the row without the event of the cause. */
export const groupRowView = (
  { group, state, care }: ListedGroup,
  { root, hit, second, whole, first, quietBefore }: GroupContext,
): z.output<typeof GroupRowBody> => ({
  kind: 'group',
  ...groupAnalysis(group, first),
  title: root?.title ?? null,
  causeName: whole?.name ?? root?.ci?.name ?? root?.hostname ?? null,
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
  causeByParts: whole && { id: whole.id, name: whole.name, type: whole.type },
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
  readonly whole: Pick<Ci, 'id' | 'name' | 'type'> | null;
  readonly parts: ScoreParts | null;
  readonly pattern: KnownPattern | null;
  readonly aheadMs: number | null;
  readonly events: ReadonlyMap<string, Event>;
  readonly cis: ReadonlyMap<string, Pick<Ci, 'name' | 'type' | 'attributes' | 'customFields'>>;
  readonly summary: string;
  readonly hit: {
    readonly now: readonly {
      readonly service: { readonly id: string; readonly name: string; readonly criticality: string };
      readonly impact: 'full_outage' | 'degraded_functionality';
    }[];
  };
  readonly entries: readonly GroupEntry[];
}

const causeView = ({ row: { group }, root, whole, parts, pattern, aheadMs, events, cis }: GroupDetail) => {
  const { candidate } = group;
  if (candidate === null || root === null) return null;
  const ci = whole ?? root.ci;
  const stored = cis.get(ci?.id ?? '');
  const shown = {
    event: eventView(root, { correlationId: group.id, inGroup: null }),
    ci: ci && { id: ci.id, name: stored?.name ?? ci.name, type: stored?.type ?? ci.type },
    owner: stored === undefined ? null : ownerOf(stored),
    aheadMs,
  };
  const isSet = root.id !== candidate.eventId;
  const others = isSet
    ? [candidate, ...candidate.alternatives].filter(({ eventId }) => eventId !== root.id)
    : candidate.alternatives;
  const alternatives = others
    .toSorted((a, b) => b.score - a.score)
    .map(({ eventId, ciId, score }) => {
      const event = events.get(eventId);
      const ciName = (ciId === undefined ? event?.ci?.name : cis.get(ciId ?? '')?.name) ?? event?.ci?.name ?? null;
      return { eventId: eventIdOf(eventId), title: event?.title ?? null, ciName, score };
    });
  // Facts of the score describe its candidate, not the event that a user has set.
  if (isSet)
    return {
      ...shown,
      confidence: 1,
      score: null,
      reasoning: SET_BY_USER,
      parts: null,
      pattern: null,
      evidence: [],
      alternatives,
      explains: [],
      explainsMore: false,
    };
  return {
    ...shown,
    confidence: candidate.confidence,
    score: candidate.score,
    reasoning: candidate.reasoning,
    parts,
    pattern,
    evidence: (candidate.evidence?.clues ?? []).map((clue) => ({
      ...clue,
      eventId: eventIdOf(clue.eventId),
      title: events.get(clue.eventId)?.title ?? null,
    })),
    alternatives,
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
