import type { HAPPENED } from '#domain/correlation/grouping/group-parts.ts';
import type { Actor } from '#domain/event/event.ts';

/** One thing that happened to a group, at an event time, or when a person did it (ms). */
export interface Moment {
  readonly at: number;
  readonly kind: (typeof HAPPENED)[number];
  /** Storage id. */
  readonly eventId?: string;
  readonly by?: Actor;
  readonly text: string;
}
