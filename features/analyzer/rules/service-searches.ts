import type { EstateList, TakenIn } from '#features/analyzer/rules/communities/estate-intake.ts';
import type { StepAnswer, StepInput, StepName } from '#features/analyzer/rules/communities/estate-steps.ts';

/** Of whom an estate is. */
export interface Searched {
  readonly tenant: string;
  /** The kind of the records that hold what scanners saw, by the ids of CIs. */
  readonly networks: string;
}

/** Searches for the services of an estate. Other requests are not held up meanwhile. */
export interface ServiceSearches {
  open(searched: Searched): ServiceSearch;
}

/** Rows that a search has read. */
export interface EstateRead extends TakenIn {
  /** Null: these were the last. */
  readonly nextCursor: string | null;
}

/** One search: it reads the lists of the estate one after the other, then its steps are asked for. It does one thing at a time. */
export interface ServiceSearch {
  /** Reads the next rows of a list. Throws as `run` does, and Fault `unavailable` when the store does not answer. */
  read(list: EstateList, cursor?: string): Promise<EstateRead>;
  /** Takes in the `text` of rows that an earlier search has read, in their order; the search need not read them. */
  again(list: EstateList, text: string): void;
  /** Throws an Error when the step fails or takes too long, or when the search was closed; it is of no use then. */
  run<N extends StepName>(name: N, input: StepInput<N>): Promise<StepAnswer<N>>;
  /** Gives up what is being done. */
  close(): Promise<void>;
}

declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly serviceSearches: ServiceSearches;
  }
}
