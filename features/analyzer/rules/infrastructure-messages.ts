/** Between a search for services and what reads the estate for it in another thread. */
import type { InfrastructureList, SomeRows } from '#features/analyzer/rules/communities/infrastructure-intake.ts';

export interface RowsAsked {
  readonly list: InfrastructureList;
  readonly cursor: string | null;
}
export type RowsRead = (SomeRows & { readonly nextCursor: string | null }) | { readonly error: string };
