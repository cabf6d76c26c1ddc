import type { Event } from '#domain/event/event.ts';
import type { LabelVerdict } from './label.ts';

/** Members that end so long after the cause was mended ended because of it. */
const FOLLOWS_MS = 30 * 60_000;

type Ended = Pick<Event, 'id' | 'status' | 'resolvedAt' | 'resolutionCategory'>;

/**
 * Whether a group's cause was right, as its end tells: right when it was mended by hand first and all others ended within 30 minutes;
 * wrong when it was no fault. Null when the end does not tell.
 */
export function groupOutcome(causeId: string, members: readonly Ended[]): LabelVerdict | null {
  const cause = members.find(({ id }) => id === causeId);
  if (cause?.status !== 'resolved') return null;
  if (cause.resolutionCategory === 'false-positive') return 'wrong';
  const others = members.filter(({ id }) => id !== causeId);
  const mendedAt = cause.resolvedAt;
  if (cause.resolutionCategory !== 'manual-fix' || mendedAt === undefined || others.length === 0) return null;
  const follows = ({ status, resolvedAt = 0 }: Ended): boolean =>
    status === 'resolved' && resolvedAt >= mendedAt && resolvedAt <= mendedAt + FOLLOWS_MS;
  return others.every(follows) ? 'right' : null;
}

/** From this probability on a change was said to fail. */
const SAID_TO_FAIL = 0.5;

/** Whether a change went as its probability of failure said. */
export const changeOutcome = (probability: number, hasFailed: boolean): LabelVerdict =>
  probability >= SAID_TO_FAIL === hasFailed ? 'right' : 'wrong';

/** How sure that was. */
export const changeConfidence = (probability: number): number => Math.max(probability, 1 - probability);

/** Whether a number lay within its interval. */
export const forecastOutcome = (
  actual: number,
  { low, high }: { readonly low: number; readonly high: number },
): LabelVerdict => (actual >= low && actual <= high ? 'right' : 'wrong');
