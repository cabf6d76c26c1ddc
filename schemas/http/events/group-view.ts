import { z } from 'zod';
import { analysisOf } from '#domain/correlation/grouping/group-view.ts';
import type { Group } from '#domain/correlation/records.ts';
import { isLearning, LEARNING } from '#domain/correlation/window/learning.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import type { Link } from '#domain/event/incoming.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';
import { AiAnalysisBody } from './analysis-view.ts';
import { EventBody, EventDetail, eventView, type GroupMembership } from './event-view.ts';

/** Groups and links as the event surface shows them. */

const RootCause = z
  .object({
    eventId: z.string(),
    ciId: z.string().nullable(),
    byParts: z.boolean().optional().meta({
      description: 'True if `ciId` has no event and its instances report the problem; `eventId` is one of theirs',
    }),
    confidence: z.number().min(0).max(1),
    reasoning: z.string(),
    alternatives: z.array(
      z.object({
        eventId: z.string(),
        ciId: z.string().optional().meta({ description: 'The CI, if its instances report the problem' }),
        score: z.number(),
      }),
    ),
    explains: z.array(z.object({ ciId: z.string(), hops: z.number().int() })),
  })
  .meta({ id: 'RootCauseCandidate' });

/** Only while background rates are being learned. */
export const LearningMark = {
  learning: z
    .literal(true)
    .optional()
    .meta({ description: "Decided while the tenant's background rates were still being learned" }),
  learningReason: z.string().optional(),
};
export const learningMark = (first: number | null, at: number) =>
  isLearning(first, at) ? { learning: true as const, learningReason: LEARNING } : {};

export const GroupAnalysis = z
  .object({
    correlationId: z.string(),
    timeSpan: z.object({ start: IsoTime, end: IsoTime }),
    eventCount: z.number().int(),
    rootCauseCandidate: RootCause.nullable(),
    ...LearningMark,
  })
  .meta({ id: 'GroupAnalysis' });

const CorrelationGroup = z
  .object({
    events: z.array(EventBody),
    truncated: z.boolean().optional(),
    analysis: GroupAnalysis,
    aiAnalysis: AiAnalysisBody.optional(),
  })
  .meta({ id: 'CorrelationGroup' });

/** Members shown with a group. */
export const GROUP_EVENTS = 200;

/** `first`: event time of the tenant's first new event, ms. */
export const groupAnalysis = (group: Group, first: number | null): z.output<typeof GroupAnalysis> => {
  const { timeSpan, rootCauseCandidate, ...analysis } = analysisOf(group);
  return {
    ...analysis,
    timeSpan: { start: iso(timeSpan.start), end: iso(timeSpan.end) },
    rootCauseCandidate: rootCauseCandidate && {
      ...rootCauseCandidate,
      alternatives: [...rootCauseCandidate.alternatives],
      explains: [...(group.candidate?.explains ?? [])],
    },
    ...learningMark(first, group.foundedAt),
  };
};

/** The group with its first members; `places` by event id. */
export const correlationGroup = (
  group: Group,
  members: readonly Event[],
  places: ReadonlyMap<string, GroupMembership>,
  first: number | null,
) => ({
  events: members.slice(0, GROUP_EVENTS).map((event) => eventView(event, places.get(event.id) ?? null)),
  ...(group.size > Math.min(members.length, GROUP_EVENTS) && { truncated: true }),
  analysis: groupAnalysis(group, first),
});

const Reason = z
  .object({
    strategy: z.string(),
    reason: z.string(),
    score: z.number(),
    literalScore: z.number(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'CorrelationReason' });

export const CorrelatedEvent = z
  .object({
    eventId: z.string(),
    title: z.string(),
    severity: z.string(),
    ciName: z.string().nullable(),
    score: z.number(),
    literalScore: z.number(),
    profile: z.string(),
    refusedBy: z.string().optional().meta({ description: 'Guard that blocked the link.' }),
    reasons: z.array(Reason),
  })
  .meta({ id: 'CorrelatedEvent' });

export const TruncatedCandidates = z.record(z.string(), z.number().int()).meta({
  id: 'TruncatedCandidates',
  description: 'Per strategy: candidates in the window that were skipped because closer candidates reached the limit.',
});

/** A link seen from one of its two events. */
export interface SeenLink {
  readonly other: Event;
  readonly link: Link;
  readonly refusedBy?: string;
  readonly profile?: string;
}

/** `profileOfToday` replaces a missing one of the link. */
export const correlatedEvent = ({ other, link, refusedBy, profile }: SeenLink, profileOfToday: string) => ({
  eventId: eventIdOf(other.id),
  title: other.title,
  severity: other.severity,
  ciName: other.ci?.name ?? null,
  score: link.score,
  literalScore: link.literalScore,
  profile: profile ?? profileOfToday,
  ...(refusedBy !== undefined && { refusedBy }),
  reasons: link.reasons.map(({ strategy, reason, score, literalScore, details }) => ({
    strategy,
    reason,
    score,
    literalScore,
    details: { ...details },
  })),
});

const seenFromEvent = {
  correlationGroup: CorrelationGroup.nullable(),
  correlations: z.array(CorrelatedEvent),
  truncated: TruncatedCandidates.optional(),
};
export const EventReply = succeeded({ event: EventDetail, ...seenFromEvent });
export const CorrelationsReply = succeeded({ event: EventBody, ...seenFromEvent });
export const ManualCorrelateReply = succeeded({
  correlationId: z.string().nullable(),
  correlationGroup: CorrelationGroup.nullable(),
  status: z.string().optional(),
  requestId: z.string().optional(),
});
