/** Between a search for services and what reads the estate for it in another thread. */
import type { EstateList, SomeRows } from '#features/analyzer/rules/communities/estate-intake.ts';

export interface RowsAsked {
  readonly list: EstateList;
  readonly cursor: string | null;
}
export type RowsRead = (SomeRows & { readonly nextCursor: string | null }) | { readonly error: string };
