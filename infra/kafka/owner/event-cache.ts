import type { Event } from '#domain/event/event.ts';
import { Lru } from '#domain/lru.ts';
import type { EventKey, Reads } from '#domain/pipeline/processor.ts';
import type { Changes, LoadedRows, PipelineStore } from '#domain/ports/pipeline-store.ts';

/** Events that one owner has saved: only the owner changes them as long as it owns the partition, so it need not read them again. */
export interface OwnerEvents {
  load(store: Pick<PipelineStore, 'load'>, reads: Reads): Promise<LoadedRows>;
  /** Must be called after a save. `furtherOn`: events that the store has in a newer version. */
  saved(events: Changes['events'], furtherOn: readonly EventKey[]): void;
  forget(keys: readonly EventKey[]): void;
  forgetTenant(tenant: string): void;
}

/** The events that the owners of this process saved last. */
export interface EventCache {
  /** An empty cache for one owner; to be called at each opening, since another process may have changed earlier events. */
  forOwner(): OwnerEvents;
}

/** Characters of JSON, over all owners; as objects the events use about three times as much memory. */
const BUDGET = 32_000_000;
/** Weight of an event without its long texts. */
const BASE = 800;

/** About the length of the event as JSON. */
const weightOf = ({ title, description = '', details, history }: Event): number =>
  BASE + title.length + description.length + JSON.stringify(details).length + 200 * history.length;

interface CachedEvent {
  /** Number of its owner. */
  readonly owner: number;
  readonly event: Event;
}

/** `budget`: weight of all events together. */
export const openEventCache = (budget = BUDGET): EventCache => {
  const cached = new Lru<string, CachedEvent>(budget, ({ event }) => weightOf(event));
  let owners = 0;

  return {
    forOwner() {
      const owner = ++owners;
      const keyOf = ({ tenant, id }: EventKey): string => `${owner}\n${tenant}\n${id}`;
      const forget = (keys: readonly EventKey[]): void => {
        for (const key of keys) cached.delete(keyOf(key));
      };
      return {
        forget,
        forgetTenant(tenant) {
          cached.keepOnly((one) => one.owner !== owner || one.event.tenant !== tenant);
        },
        async load(store, reads) {
          const known = new Map<string, Event>();
          const unknown = (reads.events ?? []).filter((key) => {
            const event = cached.get(keyOf(key))?.event;
            if (event !== undefined) known.set(key.id, event);
            return event === undefined;
          });
          const loaded = await store.load({ ...reads, events: unknown });
          return known.size === 0 ? loaded : { ...loaded, events: new Map([...loaded.events, ...known]) };
        },
        saved(events, furtherOn) {
          for (const { event } of events) {
            // Resolved events hardly ever change again.
            if (event.status === 'resolved') cached.delete(keyOf(event));
            else cached.set(keyOf(event), { owner, event });
          }
          forget(furtherOn);
        },
      };
    },
  };
};
