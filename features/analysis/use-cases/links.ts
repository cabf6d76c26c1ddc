import type { Decision } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { Link } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';

const RELATED = 10;
const DECISIONS_OF = 50;
const DECISIONS = 2_000;

/** The links of an event. */
export interface Links {
  /** Ids of the others, the best link first. */
  readonly others: readonly string[];
  /** Of all reasons. */
  readonly strategies: ReadonlySet<string>;
}

interface Growing {
  readonly scores: Map<string, number>;
  readonly strategies: Set<string>;
}

/** Both ends of every accepted link, the best score of each pair first. */
const linked = (decisions: readonly Decision[]): Map<string, Links> => {
  const found = new Map<string, Growing>();
  const add = (one: string, other: string, { score, reasons }: Link): void => {
    const { scores, strategies } = found.get(one) ?? { scores: new Map(), strategies: new Set() };
    found.set(one, { scores: scores.set(other, Math.max(score, scores.get(other) ?? 0)), strategies });
    for (const { strategy } of reasons) strategies.add(strategy);
  };
  for (const { eventId, accepted } of decisions)
    for (const link of accepted) {
      add(eventId, link.other, link);
      add(link.other, eventId, link);
    }
  const best = (scores: Map<string, number>): string[] =>
    [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id);
  return new Map(
    [...found].map(([id, { scores, strategies }]) => [id, { others: best(scores).slice(0, RELATED), strategies }]),
  );
};

/** The links of events that are in a group, by event. */
export const linksOf = async (
  { correlation }: Pick<Ports, 'correlation'>,
  tenant: string,
  events: readonly Event[],
): Promise<Map<string, Links>> => {
  const ids = events.filter(({ correlationId }) => correlationId !== null).map(({ id }) => id);
  const decisions: Decision[] = [];
  for (const some of slices(ids, DECISIONS_OF))
    decisions.push(...(await correlation.decisionsOf(tenant, some, DECISIONS)));
  return linked(decisions);
};
