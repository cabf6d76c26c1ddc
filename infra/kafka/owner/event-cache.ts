import type { Event } from '#domain/event/event.ts';
import type { EventKey, Reads } from '#domain/pipeline/processor.ts';
import type { Changes, Loaded, PipelineStore } from '#domain/ports/pipeline-store.ts';

/** Events that one owner has saved: only the owner changes them as long as it owns the partition, so it need not read them again. */
export interface OwnerEvents {
  load(store: Pick<PipelineStore, 'load'>, reads: Reads): Promise<Loaded>;
  /** To be called after a save. `furtherOn`: events that the store has in a newer version. */
  saved(events: Changes['events'], furtherOn: readonly EventKey[]): void;
  forget(keys: readonly EventKey[]): void;
  forgetTenant(tenant: string): void;
}

/** The events that the owners of this process saved last. */
export interface EventCache {
  /** An empty cache for one owner; to be called at each opening, since another process may have changed earlier events. */
  forOwner(): OwnerEvents;
}

/** In characters of JSON, over all owners; as objects the events take about three times as much memory. */
const BUDGET = 32_000_000;
/** Weight of an event without its long texts. */
const BASE = 800;

/** About the length of the event as JSON. */
const weightOf = ({ title, description = '', details, history }: Event): number =>
  BASE + title.length + description.length + JSON.stringify(details).length + 200 * history.length;

interface CachedEvent {
  readonly event: Event;
  readonly weight: number;
}

/** An LRU cache; `budget`: weight of all events together. */
export const openEventCache = (budget = BUDGET): EventCache => {
  const kept = new Map<string, CachedEvent>();
  let weight = 0;
  let shares = 0;

  const drop = (key: string): void => {
    weight -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  };
  const keep = (key: string, one: CachedEvent): void => {
    drop(key);
    kept.set(key, one);
    weight += one.weight;
    for (const oldest of kept.keys()) {
      if (weight <= budget) break;
      drop(oldest);
    }
  };
  const use = (key: string): Event | undefined => {
    const one = kept.get(key);
    if (one === undefined) return undefined;
    kept.delete(key);
    kept.set(key, one);
    return one.event;
  };

  return {
    forOwner() {
      const share = ++shares;
      const keyOf = ({ tenant, id }: EventKey): string => `${share}\n${tenant}\n${id}`;
      const forget = (keys: readonly EventKey[]): void => {
        for (const key of keys) drop(keyOf(key));
      };
      return {
        forget,
        forgetTenant(tenant) {
          const prefix = keyOf({ tenant, id: '' });
          for (const key of [...kept.keys()]) if (key.startsWith(prefix)) drop(key);
        },
        async load(store, reads) {
          const known = new Map<string, Event>();
          const unknown = (reads.events ?? []).filter((key) => {
            const event = use(keyOf(key));
            if (event !== undefined) known.set(key.id, event);
            return event === undefined;
          });
          const loaded = await store.load({ ...reads, events: unknown });
          return known.size === 0 ? loaded : { ...loaded, events: new Map([...loaded.events, ...known]) };
        },
        saved(events, furtherOn) {
          for (const { event } of events) {
            // Resolved events hardly ever change again.
            if (event.status === 'resolved') drop(keyOf(event));
            else keep(keyOf(event), { event, weight: weightOf(event) });
          }
          forget(furtherOn);
        },
      };
    },
  };
};
