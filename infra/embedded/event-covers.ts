import type { Event } from '#domain/event/event.ts';
import type { EventPart } from '#domain/ports/processor.ts';

const sameTally = (a: Event, b: Event): boolean =>
  a.count === b.count &&
  a.lastOccurrence === b.lastOccurrence &&
  a.firstOccurrence === b.firstOccurrence &&
  a.tags === b.tags &&
  a.details === b.details &&
  a.conditions === b.conditions &&
  a.seen === b.seen &&
  a.description === b.description;

const sameState = (a: Event, b: Event): boolean =>
  a.status === b.status &&
  a.severity === b.severity &&
  a.signature === b.signature &&
  a.history === b.history &&
  a.ci === b.ci &&
  a.usual === b.usual &&
  a.assignedTo === b.assignedTo &&
  a.assignedTeam === b.assignedTeam &&
  a.acknowledgedBy === b.acknowledgedBy &&
  a.acknowledgedAt === b.acknowledgedAt &&
  a.resolvedBy === b.resolvedBy &&
  a.resolvedAt === b.resolvedAt &&
  a.resolutionNotes === b.resolutionNotes &&
  a.resolutionCategory === b.resolutionCategory &&
  a.aiAnalysis === b.aiAnalysis &&
  a.businessImpact === b.businessImpact;

/** True when the row now equals `after`, so that it may stand for the row in memory. */
export const covers = (parts: ReadonlySet<EventPart>, before: Event, after: Event): boolean =>
  (parts.has('tally') || sameTally(before, after)) &&
  (parts.has('state') || sameState(before, after)) &&
  (parts.has('assigned') || before.correlationId === after.correlationId);
