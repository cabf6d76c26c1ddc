import type { Candidate, Decision, Group } from '#domain/correlation/records.ts';
import { eventIdOf } from '#domain/event/event.ts';
import type { Link } from '#domain/event/incoming.ts';

/** Child ids shown on a root-cause candidate. */
export const CHILDREN = 1_000;

/** The fields of its group that an event shows (docs/specification.md §7). */
export interface GroupPlace {
  /** Storage id of the candidate; null on the candidate itself. */
  readonly parentEventId: string | null;
  /** Storage ids of the other members, on the candidate only. */
  readonly childEventIds: readonly string[];
  readonly correlationMetadata: {
    /** Strategy of the event's best link; null when no link of it is stored. */
    readonly correlationType: string | null;
    readonly rootCauseEvent: string;
    readonly rootCauseCI: string | null;
    /** Whole percent, 20 to 99. */
    readonly confidence: number;
  };
}

/** A group as a whole, as it is shown. Times in ms; confidence 0 to 1; ids as `eventId`. */
export interface GroupAnalysis {
  readonly correlationId: string;
  readonly timeSpan: { readonly start: number; readonly end: number };
  readonly eventCount: number;
  readonly rootCauseCandidate: Pick<
    Candidate,
    'eventId' | 'ciId' | 'byParts' | 'confidence' | 'reasoning' | 'alternatives'
  > | null;
}

/** Strategy with the highest score on the best link, by event; the earliest link and reason win ties. */
export type CorrelationTypes = ReadonlyMap<string, string>;

const strongest = ({ reasons }: Link): string | undefined => {
  const [first, ...others] = reasons;
  return first && others.reduce((top, reason) => (reason.score > top.score ? reason : top), first).strategy;
};

/** `decisions` by position. An event is named by its own decisions and by those of its partners. */
export function correlationTypes(decisions: readonly Decision[]): CorrelationTypes {
  const best = new Map<string, Link>();
  const offer = (eventId: string, link: Link): void => {
    const known = best.get(eventId);
    if (!known || link.score > known.score) best.set(eventId, link);
  };
  for (const { eventId, accepted } of decisions)
    for (const link of accepted) {
      offer(eventId, link);
      offer(link.other, link);
    }
  const types = new Map<string, string>();
  for (const [eventId, link] of best) {
    const type = strongest(link);
    if (type !== undefined) types.set(eventId, type);
  }
  return types;
}

/** Place of one member; `memberIds` are the storage ids of the group's members. Null without a candidate. */
export function placeInGroup(
  eventId: string,
  { candidate }: Pick<Group, 'candidate'>,
  memberIds: readonly string[],
  types: CorrelationTypes,
): GroupPlace | null {
  if (candidate === null) return null;
  const isCause = candidate.eventId === eventId;
  return {
    parentEventId: isCause ? null : candidate.eventId,
    childEventIds: isCause ? memberIds.filter((id) => id !== eventId).slice(0, CHILDREN) : [],
    correlationMetadata: {
      correlationType: types.get(eventId) ?? null,
      rootCauseEvent: eventIdOf(candidate.eventId),
      rootCauseCI: candidate.ciId,
      confidence: Math.round(candidate.confidence * 100),
    },
  };
}

export function analysisOf({ id, first, last, size, candidate }: Group): GroupAnalysis {
  return {
    correlationId: id,
    timeSpan: { start: first, end: last },
    eventCount: size,
    rootCauseCandidate: candidate && {
      eventId: eventIdOf(candidate.eventId),
      ciId: candidate.ciId,
      ...(candidate.byParts && { byParts: true }),
      confidence: candidate.confidence,
      reasoning: candidate.reasoning,
      alternatives: candidate.alternatives.map((one) => ({ ...one, eventId: eventIdOf(one.eventId) })),
    },
  };
}
