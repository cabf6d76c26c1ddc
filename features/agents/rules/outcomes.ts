import type { Event } from '#domain/event/event.ts';
import type { LabelVerdict } from './agents.ts';

/** Maximum delay between the fix of a root cause and the end of the other members. */
const FOLLOWS_MS = 30 * 60_000;

type Ended = Pick<Event, 'id' | 'status' | 'resolvedAt' | 'resolutionCategory'>;

/**
 * Judges a root cause by the end of its group. Right: fixed manually, and all other members ended within the next 30
 * minutes; wrong: a false positive; null: undecided.
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

/** Lowest probability at which a change is predicted to fail. */
const SAID_TO_FAIL = 0.5;

/** Compares the prediction for a change with its result. */
export const changeOutcome = (probability: number, hasFailed: boolean): LabelVerdict =>
  probability >= SAID_TO_FAIL === hasFailed ? 'right' : 'wrong';

/** Confidence in the predicted result, be it failure or success. */
export const changeConfidence = (probability: number): number => Math.max(probability, 1 - probability);
export const forecastOutcome = (
  actual: number,
  { low, high }: { readonly low: number; readonly high: number },
): LabelVerdict => (actual >= low && actual <= high ? 'right' : 'wrong');
