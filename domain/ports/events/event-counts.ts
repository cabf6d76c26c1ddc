import type { Severity, Status } from '#domain/event/event.ts';
import type { OpenCounts } from '#domain/services/health.ts';

export interface EventStats {
  readonly total: number;
  readonly severityBreakdown: Readonly<Record<Severity, number>>;
  readonly openBySeverity: Readonly<Record<Severity, number>>;
  /**
   * Seconds; null when nothing was resolved in the range. Implausible durations count in neither; the median may cover
   * only the 10,000 resolved last, and may be estimated when there are many.
   */
  readonly avgResolutionTime: number | null;
  readonly medianResolutionTime: number | null;
}

/** Counts events. */
export interface EventCounts {
  /** Returns statistics of events whose [firstOccurrence, lastOccurrence] intersects [from, to]. */
  stats(tenant: string, from: number, to: number): Promise<EventStats>;
  /**
   * Returns open and acknowledged events, or those of the given states, by CI and severity, without changes; CIs
   * without such events are left out. At most 10,000 CIs are requested.
   */
  openOn(
    tenant: string,
    ciIds: readonly string[],
    statuses?: readonly Status[],
  ): Promise<ReadonlyMap<string, OpenCounts>>;
  /**
   * Returns the number of events that each of them suppresses, or has suppressed last; those without any are left out.
   * At most 1,000 are requested.
   */
  caught(tenant: string, by: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
