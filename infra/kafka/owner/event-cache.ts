import type { Event } from '#domain/event/event.ts';
import type { EventKey, Reads } from '#domain/pipeline/processor.ts';
import type { Changes, Loaded, PipelineStore } from '#domain/ports/pipeline-store.ts';

/** What one owner has saved: nobody else changes these events as long as it owns them, so it need not read them again. */
export interface OwnEvents {
  load(store: Pick<PipelineStore, 'load'>, reads: Reads): Promise<Loaded>;
  /** To be called after a save. `furtherOn`: what it found changed by somebody else. */
  saved(events: Changes['events'], furtherOn: readonly EventKey[]): void;
  forget(keys: readonly EventKey[]): void;
  forgetTenant(tenant: string): void;
}

/** Events that the owners of this process saved lately. */
export interface SavedEvents {
  /** For one owner, from its opening on: what it saved before may have been changed since. */
  share(): OwnEvents;
}

/** About a character each, over all owners; an event is kept as objects and takes about three times as much memory. */
const BUDGET = 32_000_000;
/** What an event has beside its long texts. */
const BASE = 800;

/** About the characters that the event would be written in. */
const weightOf = ({ title, description = '', details, history }: Event): number =>
  BASE + title.length + description.length + JSON.stringify(details).length + 200 * history.length;

interface Kept {
  readonly event: Event;
  readonly weight: number;
}

/** `budget`: weight of all that is kept; the longest unused goes first. */
export const openSavedEvents = (budget = BUDGET): SavedEvents => {
  const kept = new Map<string, Kept>();
  let weight = 0;
  let shares = 0;

  const drop = (key: string): void => {
    weight -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  };
  const keep = (key: string, one: Kept): void => {
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
    share() {
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
            // Resolved ones hardly change any more, and go with their week.
            if (event.status === 'resolved') drop(keyOf(event));
            else keep(keyOf(event), { event, weight: weightOf(event) });
          }
          forget(furtherOn);
        },
      };
    },
  };
};
