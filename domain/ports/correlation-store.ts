import type { Analysis, AnalysisRange } from '#domain/correlation/on-demand/analysis.ts';
import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import type { Page, PageRequest } from '#domain/page.ts';

export const GROUP_SORTS = ['last', 'first', 'size'] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

export interface GroupFilter {
  readonly status?: 'open' | 'closed';
  /** An open group whose last event is before this time counts as closed, ms. */
  readonly quietBefore?: number;
  /** [first, last] meets [from, to]. */
  readonly from?: number;
  readonly to?: number;
}

/** Enriched records and decisions are create-only; groups are fenced by position. */
export interface CorrelationStore {
  save(changes: {
    readonly enriched?: readonly Enriched[];
    readonly decisions?: readonly Decision[];
    readonly groups?: readonly Group[];
  }): Promise<void>;
  /** Returns the current group of this id; an alias returns the older group. */
  group(tenant: string, idOrAlias: string): Promise<Group | null>;
  groups(tenant: string, filter: GroupFilter, page: PageRequest<GroupSort>): Promise<Page<Group>>;
  /** Decisions in which one of the events is the arrival or a partner, each once, by position; at most `limit`. */
  decisionsOf(tenant: string, eventIds: readonly string[], limit: number): Promise<Decision[]>;
  /** The newest enriched record of each event that has one. */
  enriched(tenant: string, eventIds: readonly string[]): Promise<Enriched[]>;
  /** The newest enriched record of each event with event time in [from, to], by time, then position; at most `limit`. */
  enrichedBetween(
    tenant: string,
    from: number,
    to: number,
    options: { readonly limit: number; readonly order: 'asc' | 'desc' },
  ): Promise<Enriched[]>;
  /**
   * Runs the strategies over these records again, without blocking other requests. Throws Fault `unavailable` on a
   * timeout.
   */
  analyze(tenant: string, range: AnalysisRange): Promise<Analysis>;
}
