import type { Page, PageRequest } from '#domain/page.ts';
import type { CiChange } from '#domain/topology/topology.ts';

export type ChangesPage = Pick<PageRequest<never>, 'limit' | 'offset' | 'cursor'>;

/** Earlier versions of CIs and relationships. */
export interface TopologyHistory {
  /** Changes of a CI, newest first, also of one that is gone; none of an unknown one. */
  changes(tenant: string, ciId: string, page: ChangesPage): Promise<Page<CiChange>>;
  /** Deletes the versions of all tenants that ended before this time (ms). Returns how many. */
  forget(before: number): Promise<number>;
}
