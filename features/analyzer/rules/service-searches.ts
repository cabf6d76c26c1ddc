import type { InfrastructureList, TakenIn } from '#features/analyzer/rules/communities/infrastructure-intake.ts';
import type { StepAnswer, StepInput, StepName } from '#features/analyzer/rules/communities/infrastructure-steps.ts';

/** Owner of the environment. */
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
export interface InfrastructureRead extends TakenIn {
  /** Null: these were the last. */
  readonly nextCursor: string | null;
}

/** One search: it reads the lists of the estate one after the other, then its steps are asked for. It does one thing at a time. */
export interface ServiceSearch {
  /** Reads the next rows of a list. Throws as `run` does, and Fault `unavailable` when the store does not answer. */
  read(list: InfrastructureList, cursor?: string): Promise<InfrastructureRead>;
  /** Adds the `text` of rows from an earlier search, in their order; the search does not read them again. */
  again(list: InfrastructureList, text: string): void;
  /** Throws an Error when the step fails or exceeds its time, or when the search was closed; the search is unusable then. */
  run<N extends StepName>(name: N, input: StepInput<N>): Promise<StepAnswer<N>>;
  /** Gives up what is being done. */
  close(): Promise<void>;
}

declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly serviceSearches: ServiceSearches;
  }
}
