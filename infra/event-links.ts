import { entryOf, itemAt } from '#domain/assert.ts';
import type { Decision } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { Lru } from '#domain/lru.ts';
import type { CorrelationStore } from '#domain/ports/correlation-store.ts';
import type { EventLinks, LinkStore } from '#domain/ports/events/correlation-history.ts';
import { slices } from '#domain/slices.ts';

/** The part of an accepted link that its events show. */
interface LinkedPartner {
  readonly other: string;
  readonly score: number;
  readonly strategies: readonly string[];
}

export interface Partners extends Pick<Decision, 'tenant' | 'position' | 'eventId'> {
  readonly partners: readonly LinkedPartner[];
}

export const partnersIn = ({ tenant, position, eventId, accepted }: Decision): Partners => {
  const partners = accepted.map(({ other, score, reasons }) => {
    const strategies = reasons.map(({ strategy }) => strategy);
    return { other, score, strategies };
  });
  return { tenant, position, eventId, partners };
};

/** Partners of an event that are named. */
const RELATED = 10;

/** The links of one event, the best of each partner. */
class Links implements EventLinks {
  readonly strategies = new Set<string>();
  /** Best first. */
  readonly #best: Pick<LinkedPartner, 'other' | 'score'>[] = [];

  get others(): readonly string[] {
    return this.#best.map(({ other }) => other);
  }

  add(other: string, { score, strategies }: LinkedPartner): void {
    for (const strategy of strategies) this.strategies.add(strategy);
    const best = this.#best;
    const isAfter = (one: (typeof best)[number]): boolean =>
      one.score < score || (one.score === score && one.other > other);
    if (best.length === RELATED && !best.some(isAfter)) return;
    const known = best.findIndex((one) => one.other === other);
    if (known !== -1) {
      if (itemAt(best, known).score >= score) return;
      best.splice(known, 1);
    }
    const place = best.findIndex(isAfter);
    best.splice(place === -1 ? best.length : place, 0, { other, score });
    if (best.length > RELATED) best.pop();
  }
}

/** Adds both ends of each link of the events that `of` knows. */
const countLinks = ({ eventId, partners }: Partners, of: (id: string) => Links | undefined): void => {
  const own = of(eventId);
  for (const partner of partners) {
    own?.add(partner.other, partner);
    of(partner.other)?.add(eventId, partner);
  }
};

const AT_ONCE = 50;
const DECISIONS = 500;

/** Reads decisions about up to 50 events at once, but of no event whose links are `recent`. */
export const openLinks = (
  { decisionsOf }: Pick<CorrelationStore, 'decisionsOf'>,
  recent: Pick<RecentLinks, 'of'> = { of: () => undefined },
): LinkStore => ({
  async linksOf(tenant, events) {
    const known = new Map(events.map((event) => [event.id, recent.of(tenant, event)]));
    const others = new Map([...known].flatMap(([id, links]) => (links === undefined ? [[id, new Links()]] : [])));
    for (const ids of slices([...others.keys()], AT_ONCE))
      for (const decision of await decisionsOf(tenant, ids, DECISIONS))
        countLinks(partnersIn(decision), (id) => others.get(id));
    const found = [...known].map(([id, links]) => [id, links ?? entryOf(others, id)] as const);
    return new Map(found.filter(([, links]) => links.others.length > 0));
  },
});

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
  of(tenant: string, { id, createdPosition }: Pick<Event, 'id' | 'createdPosition'>): Links | undefined {
    const known = this.#known.get(id);
    return known?.tenant === tenant && known.from <= createdPosition ? known.links : undefined;
  }
}
