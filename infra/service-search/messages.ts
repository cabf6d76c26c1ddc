import type { StepName } from '#domain/services/communities/estate-steps.ts';

export interface Asked {
  readonly name: StepName;
  readonly input: unknown;
}
export type Answered = { readonly answer: unknown } | { readonly error: string };
