import type { Event } from '#domain/event/event.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';

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
  a.businessImpact === b.businessImpact &&
  a.supersedes === b.supersedes &&
  a.supersededBy === b.supersededBy &&
  a.problemSince === b.problemSince &&
  a.silencing === b.silencing;

const sameSaid = (a: Event, b: Event): boolean =>
  a.title === b.title &&
  a.sourceId === b.sourceId &&
  a.category === b.category &&
  a.hostname === b.hostname &&
  a.ipAddress === b.ipAddress &&
  a.service === b.service &&
  a.application === b.application &&
  a.environment === b.environment;

const covers = (parts: ReadonlySet<EventPart>, before: Event, after: Event): boolean =>
  (parts.has('tally') || sameTally(before, after)) &&
  (parts.has('state') || sameState(before, after)) &&
  (parts.has('said') || sameSaid(before, after)) &&
  (parts.has('assigned') || before.correlationId === after.correlationId);

const FIELDS: Readonly<Record<Exclude<EventPart, 'created'>, readonly (keyof Event)[]>> = {
  tally: ['count', 'lastOccurrence', 'firstOccurrence', 'tags', 'details', 'conditions', 'seen', 'description'],
  state: [
    ...(['status', 'severity', 'signature', 'history', 'ci', 'usual', 'assignedTo', 'assignedTeam'] as const),
    ...(['acknowledgedBy', 'acknowledgedAt', 'resolvedBy', 'resolvedAt', 'resolutionNotes'] as const),
    ...([
      'resolutionCategory',
      'aiAnalysis',
      'businessImpact',
      'supersedes',
      'supersededBy',
      'problemSince',
      'silencing',
    ] as const),
  ],
  said: ['title', 'sourceId', 'category', 'hostname', 'ipAddress', 'service', 'application', 'environment'],
  assigned: ['correlationId'],
};

/** The event as its row stands when no more than `parts` of `after` is written. */
export function asWritten(parts: ReadonlySet<EventPart>, before: Event, after: Event): Event {
  if (covers(parts, before, after)) return after;
  const names = (['tally', 'state', 'said', 'assigned'] as const).flatMap((part) =>
    parts.has(part) ? [] : FIELDS[part],
  );
  const kept = names.filter((name) => before[name] !== undefined).map((name) => [name, before[name]]);
  const others = Object.entries(after).filter(([name]) => !names.includes(name as keyof Event));
  return Object.fromEntries([...others, ...kept]) as Event;
}

/** Lays what a further occurrence changes over the event that is there. */
export function takeActivity(event: { -readonly [Name in keyof Event]: Event[Name] }, after: Event): void {
  event.count = after.count;
  event.lastOccurrence = after.lastOccurrence;
  event.firstOccurrence = after.firstOccurrence;
  event.tags = after.tags;
  event.details = after.details;
  event.conditions = after.conditions;
  event.seen = after.seen;
  event.position = after.position;
  event.updatedAt = after.updatedAt;
  if (after.description !== event.description) {
    if (after.description === undefined) delete event.description;
    else event.description = after.description;
  }
}
