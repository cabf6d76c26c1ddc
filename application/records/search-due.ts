import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SearchRef } from '#domain/search/document.ts';
import type { SideRecord } from '#domain/side-record.ts';

/** These records belong to the system, so that one list finds all. */
export const SEARCH_DUE_KIND = 'search-due';

/** Things that have changed, or are gone, since they were made fit to be searched. */
export interface SearchDue {
  readonly tenant: string;
  readonly refs: readonly SearchRef[];
}

/** Must be stored with the change: a process that dies loses none. */
export const searchDue = ({ ids }: Pick<Ports, 'ids'>, tenant: string, refs: readonly SearchRef[]): SideRecord => {
  const body: SearchDue = { tenant, refs };
  return { tenant: SYSTEM_TENANT, kind: SEARCH_DUE_KIND, id: ids.ulid(), body };
};
