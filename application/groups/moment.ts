import type { Actor } from '#domain/event/event.ts';

export const HAPPENED = [
  ...(['founded', 'joined', 'merged', 'split', 'cause', 'status', 'note', 'assigned', 'verdict'] as const),
  ...(['closed', 'topology'] as const),
] as const;

/** One thing that happened to a group, at an event time, or when a person did it (ms). */
export interface Moment {
  readonly at: number;
  readonly kind: (typeof HAPPENED)[number];
  /** Storage id. */
  readonly eventId?: string;
  readonly by?: Actor;
  readonly text: string;
}
