import type { Restorable } from '#domain/ports/processor.ts';

/**
 * Since when arrivals are read back so that `reachMs` of event time is known again; null when there are none.
 * Counted from the newest event: a feed of the past is restored as well as one of today. A tenant that lies further
 * behind the newest than `reachMs` starts with empty windows.
 */
export async function restoreSince(from: Restorable, now: number, reachMs: number): Promise<number | null> {
  let newest = Number.NEGATIVE_INFINITY;
  for await (const { time } of from.watermarks()) newest = Math.max(newest, time);
  return newest === Number.NEGATIVE_INFINITY ? null : Math.min(now, newest) - reachMs;
}
