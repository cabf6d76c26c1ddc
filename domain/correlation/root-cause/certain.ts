import type { Candidate } from '#domain/correlation/records.ts';

/** Below this confidence a cause is not certain, and people are told the two best. */
export const CERTAIN = 0.4;

/** Storage id of the best alternative of a cause that is not certain. */
export const secondBestOf = (candidate: Candidate | null): string | null =>
  candidate === null || candidate.confidence >= CERTAIN ? null : (candidate.alternatives[0]?.eventId ?? null);
