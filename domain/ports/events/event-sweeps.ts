import type { Event } from '#domain/event/event.ts';
import type { Part, PartRequest } from '#domain/page.ts';

/** Unresolved events of which nothing was heard since before `before`, ms: neither an occurrence nor a change. */
export interface SilentFilter {
  readonly before: number;
  /** Changes alone, or all that are none. */
  readonly changes: boolean;
}

/** Something that suppresses events now: a silence, or the maintenance of a CI. */
export interface Silencer {
  readonly tenant: string;
  /** As in `Silencing`. */
  readonly by: string;
}
export const MOST_SILENCERS = 1_000;

/** For jobs, which go through all events of a kind, in an order of the store's own; the store counts none of them. */
export interface EventSweeps {
  /** Events without a CI. */
  unbound(tenant: string, page: PartRequest): Promise<Part<Event>>;
  silent(tenant: string, filter: SilentFilter, page: PartRequest): Promise<Part<Event>>;
  /** Silences and maintenance of all tenants now, at most `MOST_SILENCERS`. */
  silencers(): Promise<readonly Silencer[]>;
  /** Events that it suppresses now. */
  silenced(silencer: Silencer, page: PartRequest): Promise<Part<Event>>;
  /** From then on lists, sweeps and counts have what any process has saved before. It takes a store some effort. */
  refresh(): Promise<void>;
}
