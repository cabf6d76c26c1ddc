import type { HAPPENED } from '#domain/correlation/grouping/group-parts.ts';
import type { Actor } from '#domain/event/event.ts';

/** One entry about a group, at an event time, or at the time of a user action (ms). */
export interface GroupTimelineEntry {
  readonly at: number;
  readonly kind: (typeof HAPPENED)[number];
  /** Storage id. */
  readonly eventId?: string;
  readonly by?: Actor;
  readonly text: string;
}
