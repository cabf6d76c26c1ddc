import type { Claim } from '#domain/ai/evidence.ts';
import type { Event } from '#domain/event/event.ts';

/** Minimum confidence of a probable cause; below it a cause is possible. */
export const PROBABLE = 0.5;

/** The sentence about the cause, its citations, and its certainty. */
export interface Hypothesis {
  readonly claim: Claim;
  /** 0 to 1. */
  readonly confidence: number;
  readonly abstained: boolean;
  /** The event that is named as the cause, if any. */
  readonly cause: Event | null;
}

/** References of a sentence. */
export const REFS = 5;

export const named = (text: string, refs: readonly string[], confidence: number, cause: Event | null): Hypothesis => ({
  claim: { text, refs: refs.slice(0, REFS), certainty: confidence >= PROBABLE ? 'likely' : 'possible' },
  confidence,
  abstained: false,
  cause,
});
