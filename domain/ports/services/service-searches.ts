import type { EstatePart, StepAnswer, StepInput, StepName } from '#domain/services/communities/estate-steps.ts';

/** Searches for the services of an estate. Other requests are not held up meanwhile. */
export interface ServiceSearches {
  open(): ServiceSearch;
}

/** One search: the estate is handed over in parts, then its steps are asked for one after the other. */
export interface ServiceSearch {
  add(part: EstatePart): void;
  /** Throws an Error when the step fails or takes too long, or when the search was closed; it is of no use then. */
  run<N extends StepName>(name: N, input: StepInput<N>): Promise<StepAnswer<N>>;
  /** Gives up what is being done. */
  close(): Promise<void>;
}
