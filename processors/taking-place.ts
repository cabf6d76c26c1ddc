/** The same problem with another severity, where severity is part of the identity of an event (plain ingest). */

import type { Event } from '#domain/event/event.ts';
import { subjectPattern } from '#domain/event/identity/subject.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { type Change, type Stamp, touched } from '#domain/event/lifecycle/change.ts';
import { supersede } from '#domain/event/lifecycle/status.ts';
import { inheritedStatus, withoutSuppression } from '#domain/event/lifecycle/suppression.ts';

/** Words that senders put into titles for the severity. */
const SEVERITY_WORDS =
  /(?<![a-z0-9])(?:critical|crit|major|minor|warning|warn|info|informational|error|fatal|emergency|disaster|average|high|low)(?![a-z0-9])/g;

const subjectOf = (title: string): string => subjectPattern(title.toLowerCase()).replace(SEVERITY_WORDS, '<severity>');

/** True if an event, except for its severity, equals the occurrence; both have one source and sourceId. */
export const isSameProblem = (event: Event, occurrence: Occurrence): boolean =>
  event.hostname === occurrence.hostname &&
  event.ipAddress === occurrence.ipAddress &&
  event.service === occurrence.service &&
  event.application === occurrence.application &&
  (event.title === occurrence.title || subjectOf(event.title) === subjectOf(occurrence.title));

/** Returns the fields that a superseding event inherits from the other. */
export const inherited = (from: Event, to: Event): Event => ({
  ...withoutSuppression(to),
  ...inheritedStatus(from, to),
  correlationId: from.correlationId,
  ...(from.assignedTo && { assignedTo: from.assignedTo }),
  ...(from.assignedTeam && { assignedTeam: from.assignedTeam }),
  ...(from.acknowledgedBy && { acknowledgedBy: from.acknowledgedBy }),
  ...(from.acknowledgedAt !== undefined && { acknowledgedAt: from.acknowledgedAt }),
  supersedes: from.id,
  problemSince: from.problemSince ?? from.firstOccurrence,
});

/** The event is superseded by the one with this id. */
export const giveWay = (event: Event, to: string, at: number, stamp: Stamp): Change => {
  const { event: resolved, outcome } = supersede(event, at, stamp);
  return { event: { ...resolved, supersededBy: to, ...touched(resolved, stamp) }, outcome };
};
