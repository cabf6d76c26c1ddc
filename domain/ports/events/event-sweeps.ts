import type { Event } from '#domain/event/event.ts';
import type { Part, PartRequest } from '#domain/page.ts';

/** Unresolved events without an occurrence or a change since before `before`, ms. */
export interface SilentFilter {
  readonly before: number;
  /** Changes alone, or all that are none. */
  readonly changes: boolean;
}

/** Something that suppresses events now: a silence, or the maintenance of a CI. */
export interface Silencer {
  readonly tenant: string;
  /** Id as in `Suppression`. */
  readonly by: string;
}
export const MAX_SILENCERS = 1_000;

/**
 * Sweeps for jobs, which process all events of a kind, in an order of the store's own; the store counts none of them.
 */
export interface EventSweeps {
  /** Events without a CI. */
  unbound(tenant: string, page: PartRequest): Promise<Part<Event>>;
  silent(tenant: string, filter: SilentFilter, page: PartRequest): Promise<Part<Event>>;
  /** Silences and maintenance of all tenants now, at most `MAX_SILENCERS`. */
  silencers(): Promise<readonly Silencer[]>;
  /** Events that it suppresses now. */
  silenced(silencer: Silencer, page: PartRequest): Promise<Part<Event>>;
  /**
   * Afterwards lists, sweeps and counts include everything that any process has saved before. Expensive for a store.
   */
  refresh(): Promise<void>;
}
