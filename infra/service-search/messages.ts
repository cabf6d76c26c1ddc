import type { EstatePart, StepName } from '#domain/services/communities/estate-steps.ts';

export interface StepAsked {
  readonly name: StepName;
  readonly input: unknown;
}
/** Parts are taken in without an answer. */
export interface Added {
  readonly part: EstatePart;
}
export type Answered = { readonly answer: unknown } | { readonly error: string };
