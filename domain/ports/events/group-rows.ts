import type { GroupsOfAge } from '#domain/correlation/grouping/group-ages.ts';
import type { GroupStatus, ListedGroup, Verdict } from '#domain/correlation/grouping/group-state.ts';
import type { Severity } from '#domain/event/event.ts';
import type { Page, PageRequest } from '#domain/page.ts';

/** `urgency`: worst open severity, then the latest arrival. */
export const GROUP_ROW_SORTS = ['urgency', 'last', 'first', 'size'] as const;
export type GroupRowSort = (typeof GROUP_ROW_SORTS)[number];

/** All that are given must hold. */
export interface GroupRowFilter {
  readonly statuses?: readonly GroupStatus[];
  /**
   * True if it may still accept members: it has not closed, and its latest arrival is not before `quietBefore` (ms).
   */
  readonly growing?: boolean;
  readonly quietBefore?: number;
  readonly hasOpen?: boolean;
  readonly severities?: readonly Severity[];
  /** Exact, in any case; the CI by its id. */
  readonly service?: string;
  readonly source?: string;
  readonly host?: string;
  readonly ci?: string;
  /** Id of a user or team, or several: any of them; null: it is unassigned. */
  readonly assignee?: string | readonly string[] | null;
  /** The verdict on the cause; null: none. */
  readonly verdict?: Verdict['cause'] | null;
  /** [first, last] meets [from, to], ms. */
  readonly from?: number;
  readonly to?: number;
  /** A member has all these words in its title or description. */
  readonly search?: string;
  /** These groups, by current ids. */
  readonly ids?: readonly string[];
}

/** Groups with data derived from their members. Ids of merged groups refer to the group that they are in now. */
export interface GroupRows {
  find(tenant: string, filter: GroupRowFilter, page: PageRequest<GroupRowSort>): Promise<Page<ListedGroup>>;
  get(tenant: string, idOrAlias: string): Promise<ListedGroup | null>;
  /** The same of several, by the given ids; missing ones are left out. */
  getMany(tenant: string, ids: readonly string[]): Promise<ReadonlyMap<string, ListedGroup>>;
  /** Counts resolved groups of the last day only; zero counts may be missing. `now` in ms. */
  countByAge(tenant: string, now: number): Promise<readonly GroupsOfAge[]>;
  /**
   * Makes rows show earlier saves of the members of these groups; a store whose rows change with each save only waits
   * for them. `since`: position of the record that changed them, where no remaining member has it.
   */
  refresh(tenant: string, ids: readonly string[], since?: number): Promise<void>;
}
