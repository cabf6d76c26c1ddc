import { itemAt } from '#domain/assert.ts';
import type { Decision } from '#domain/correlation/records.ts';
import type { EventLinks } from '#domain/ports/correlation-store.ts';
import { slices } from '#domain/slices.ts';

/** An accepted link as far as events are told who is linked to them. */
export interface Partner {
  readonly other: string;
  readonly score: number;
  readonly strategies: readonly string[];
}

export interface Partners extends Pick<Decision, 'tenant' | 'position' | 'eventId'> {
  readonly partners: readonly Partner[];
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
export class Links implements EventLinks {
  readonly strategies = new Set<string>();
  /** Best first. */
  readonly #best: Pick<Partner, 'other' | 'score'>[] = [];

  get others(): readonly string[] {
    return this.#best.map(({ other }) => other);
  }

  add(other: string, { score, strategies }: Partner): void {
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
export const countLinks = ({ eventId, partners }: Partners, of: (id: string) => Links | undefined): void => {
  const own = of(eventId);
  for (const partner of partners) {
    own?.add(partner.other, partner);
    of(partner.other)?.add(eventId, partner);
  }
};

const AT_ONCE = 50;
const DECISIONS = 500;

/** Links of the events that have any, by id, from decisions about up to 50 events at once. */
export const readLinks = async (
  eventIds: readonly string[],
  read: (eventIds: readonly string[], limit: number) => Promise<readonly Decision[]>,
): Promise<ReadonlyMap<string, EventLinks>> => {
  const found = new Map(eventIds.map((id) => [id, new Links()]));
  for (const ids of slices(eventIds, AT_ONCE))
    for (const decision of await read(ids, DECISIONS)) countLinks(partnersIn(decision), (id) => found.get(id));
  return new Map([...found].filter(([, { others }]) => others.length > 0));
};
