import type { Candidate } from '#domain/correlation/records.ts';

/** Confidence below which a cause is not certain, and users are shown the two best. */
export const CERTAIN = 0.4;

/** Storage id of the best alternative of a cause that is not certain. */
export const secondBestOf = (candidate: Candidate | null): string | null =>
  candidate === null || candidate.confidence >= CERTAIN ? null : (candidate.alternatives[0]?.eventId ?? null);
