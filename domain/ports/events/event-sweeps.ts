import type { Event } from '#domain/event/event.ts';
import type { Part, PartRequest } from '#domain/page.ts';

/** Unresolved events of which nothing was heard since before `before`, ms: neither an occurrence nor a change. */
export interface SilentFilter {
  readonly before: number;
  /** Changes alone, or all that are none. */
  readonly changes: boolean;
}

/** For jobs, which go through all events of a kind, in an order of the store's own; the store counts none of them. */
export interface EventSweeps {
  /** Events without a CI. */
  unbound(tenant: string, page: PartRequest): Promise<Part<Event>>;
  silent(tenant: string, filter: SilentFilter, page: PartRequest): Promise<Part<Event>>;
  /** From then on lists, sweeps and counts have what any process has saved before. It takes a store some effort. */
  refresh(): Promise<void>;
}
