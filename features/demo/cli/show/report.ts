import type { Client } from '#cli/client/client.ts';
import type { EventReply, GroupReply, ReplyOf } from '#cli/client/replies.ts';
import type { DemoInfrastructure } from '#features/demo/rules/scene/infrastructure.ts';
import type { Story } from '#features/demo/rules/story.ts';
import type { CorrelationsReply } from '#schemas/http/events/group-view.ts';
import { type Measures, measuresOf } from './measures.ts';
import { judgedOf, type ReplayOutcome, rootsOf, type Sent } from './replay.ts';
import { type Sample, type Score, scoreOf } from './score.ts';
import type { DemoProfile, DemoTenant } from './tenant.ts';

/** A group as a user asks about it. */
export interface GroupLine {
  readonly correlationId: string;
  readonly start: string;
  readonly events: number;
  readonly rootCause: { readonly eventId: string; readonly ci: string | null; readonly title: string } | null;
  readonly services: readonly string[];
  readonly reasoning: string;
  readonly confidence: number;
  /** Strategies by the number of links of the root cause that they found. */
  readonly strategies: readonly string[];
  /** The truth about it: incidents with the number of their events; null is noise. */
  readonly truth: readonly { readonly incident: string | null; readonly events: number }[];
}

export interface DemoReport {
  readonly tenant: string;
  readonly profile: DemoProfile;
  readonly payloads: number;
  /** Single alerts within the payloads. */
  readonly alerts: number;
  readonly events: number;
  readonly groups: readonly GroupLine[];
  /** Number of remaining entries: groups and single events. */
  readonly left: number;
  readonly noiseReduction: number;
  readonly score: Score;
  readonly measures: Measures;
}

const countBy = <K>(keys: readonly K[]): [K, number][] => {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
};

const strategiesOf = async (client: Client, eventId: string): Promise<string[]> => {
  const { correlations } = await client.get<ReplyOf<typeof CorrelationsReply>>(`/api/events/${eventId}/correlations`);
  const joined = correlations.filter(({ refusedBy }) => refusedBy === undefined);
  return countBy(joined.flatMap(({ reasons }) => reasons[0]?.strategy ?? [])).map(([name]) => name);
};

const SERVICES = ['business_service', 'application'];

/** Returns business services first, then applications: members that are one, and applications that members name. */
const servicesOf = (members: readonly EventReply[], { cis }: DemoInfrastructure): string[] => {
  const named = new Set(members.flatMap(({ service, ciId }) => [service, ciId?.name]));
  return SERVICES.flatMap((type) => cis.filter((ci) => ci.type === type && named.has(ci.name))).map(({ name }) => name);
};

const lineOf = async (
  { client, estate }: { readonly client: Client; readonly estate: DemoInfrastructure },
  group: GroupReply,
  members: readonly EventReply[],
  judged: readonly Sample[],
): Promise<GroupLine> => {
  const { correlationId, timeSpan, eventCount, rootCauseCandidate: candidate, rootCause } = group;
  return {
    correlationId,
    start: timeSpan.start,
    events: eventCount,
    rootCause: rootCause && { eventId: rootCause.eventId, ci: rootCause.ciId?.name ?? null, title: rootCause.title },
    services: servicesOf(members, estate),
    reasoning: candidate?.reasoning ?? '',
    confidence: candidate?.confidence ?? 0,
    strategies: candidate ? await strategiesOf(client, candidate.eventId) : [],
    truth: countBy(judged.map(({ incident }) => incident)).map(([incident, events]) => ({ incident, events })),
  };
};

const membersBy = <T>(items: readonly T[], groupOf: (item: T) => string | null): Map<string, T[]> => {
  const byGroup = new Map<string, T[]>();
  for (const item of items) {
    const group = groupOf(item);
    if (group !== null) byGroup.set(group, [...(byGroup.get(group) ?? []), item]);
  }
  return byGroup;
};

export const reportOf = async (
  { id, profile, client }: DemoTenant,
  { payloads, ordinaryUntil, estate }: Story,
  outcome: ReplayOutcome,
  sent: Sent,
): Promise<DemoReport> => {
  const judged = judgedOf(outcome, sent, ordinaryUntil);
  const events = membersBy(outcome.events, ({ correlationId }) => correlationId);
  const truths = membersBy(judged, ({ group }) => group);
  const groups: GroupLine[] = [];
  for (const group of outcome.groups) {
    const { correlationId } = group;
    groups.push(
      await lineOf({ client, estate }, group, events.get(correlationId) ?? [], truths.get(correlationId) ?? []),
    );
  }
  const alone = outcome.events.filter(({ correlationId }) => correlationId === null).length;
  const alerts = payloads.reduce((sum, { truths: items }) => sum + items.length, 0);
  const left = groups.length + alone;
  const score = scoreOf(judged, rootsOf(outcome));
  const counted = { payloads: payloads.length, alerts, events: outcome.events.length, left };
  return {
    tenant: id,
    profile,
    ...counted,
    groups,
    noiseReduction: 1 - left / alerts,
    score,
    measures: measuresOf(judged, outcome, score),
  };
};
