import type { Planned } from '#domain/topology/import.ts';
import type { SaidEntry } from '#features/topology-sources/rules/wanted.ts';
import type { SaidShelf } from './said-book.ts';

export type Printed<T> = T & { readonly print: string };

/** Differences in handling between CIs and relationships. */
export interface Planner<
  W extends { readonly key: string; readonly print: string },
  T extends { readonly id: string },
> {
  readonly shelf: SaidShelf;
  /** Plans the change of each item, in order. */
  readonly plan: (wanted: readonly W[]) => Promise<readonly Planned<T>[]>;
  readonly put: (records: readonly T[]) => Promise<void>;
  readonly met: (records: readonly T[]) => Promise<void>;
  /** Returns the entry for the record of the source; null if the change failed. */
  readonly entryOf: (wanted: W, plan: Planned<T>, known: SaidEntry | undefined) => SaidEntry | null;
}
