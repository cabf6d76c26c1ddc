import type { Event } from '#domain/event/event.ts';
import { Lru } from '#domain/lru.ts';
import type { EventLinks } from '#domain/ports/correlation-store.ts';
import { countLinks, Links, type Partners } from '#infra/event-links.ts';

interface Counted {
  readonly tenant: string;
  readonly links: Links;
  /** Position of the first decision that was counted. */
  readonly from: number;
}

const MAX_EVENTS = 20_000;

/** Links of the newest events, counted as their decisions are written: who analyzes them need not read the decisions. */
export class RecentLinks {
  readonly #known = new Lru<string, Counted>(MAX_EVENTS);

  note(partners: Partners): void {
    const { tenant, position, eventId } = partners;
    if (this.#known.get(eventId) === undefined)
      this.#known.set(eventId, { tenant, links: new Links(), from: position });
    countLinks(partners, (id) => this.#known.get(id)?.links);
  }

  forget(eventId: string): void {
    this.#known.delete(eventId);
  }

  clear(): void {
    this.#known.clear();
  }

  /** Undefined for an event whose first decision was not counted here. */
  of(tenant: string, { id, createdPosition }: Pick<Event, 'id' | 'createdPosition'>): EventLinks | undefined {
    const known = this.#known.get(id);
    return known?.tenant === tenant && known.from <= createdPosition ? known.links : undefined;
  }
}
