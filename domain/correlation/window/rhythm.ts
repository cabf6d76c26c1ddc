/** Times of a sender that its rhythm is taken from. */
const KEPT = 33;
/** Distances that it takes to tell a rhythm. */
const ENOUGH = 5;
/** Of all distances so many may be others: a message out of turn does not undo a rhythm. */
const OUT_OF_TURN = 0.1;
/** How far from a whole number of looks a distance may be. */
const SLACK = 0.1;
/** Nearer than this is the same look at the world, ms. */
const ONE_LOOK_MS = 5_000;
const SHORTEST_MS = 15_000;
/** Five minutes, and what a slow look adds. */
const LONGEST_MS = 315_000;
/** Times longer ago count no more, ms; less than what a start reads again. */
const REACH_MS = 4 * 3_600_000;
/** Senders of one tenant; the one that was heard of longest ago is forgotten first. */
const SENDERS = 1_000;

/** When each sender of a tenant spoke last, oldest word first: at most 33 distinct times each, ms. */
export type Rhythms = Map<string, number[]>;

/** Notes that the sender spoke of `time`. */
export function hear(rhythms: Rhythms, source: string, time: number): void {
  const times = rhythms.get(source) ?? [];
  rhythms.delete(source);
  rhythms.set(source, times);
  if (rhythms.size > SENDERS) rhythms.delete(rhythms.keys().next().value as string);
  for (const known of times) if (Math.abs(known - time) < ONE_LOOK_MS) return;
  times.push(time);
  if (times.length > KEPT) times.shift();
}

const isWhole = (looks: number): boolean => looks > 0.5 && Math.abs(looks - Math.round(looks)) <= SLACK;

/**
 * How often the sender looks, ms, at most 5 min: nine in ten distances between its last distinct times are whole numbers of looks. 0: it
 * speaks at any time, or too seldom to tell. What it saw in one look may have happened at once, or just after the look before.
 */
export function rhythmAt(rhythms: Rhythms, source: string, time: number): number {
  const recent = (rhythms.get(source) ?? [])
    .filter((known) => Math.abs(known - time) <= REACH_MS)
    .sort((a, b) => a - b);
  const gaps = recent.slice(1).map((known, i) => known - (recent[i] as number));
  if (gaps.length < ENOUGH) return 0;
  const outOfTurn = Math.floor(gaps.length * OUT_OF_TURN);
  const look = gaps.sort((a, b) => a - b)[outOfTurn] as number;
  if (look < SHORTEST_MS || look > LONGEST_MS) return 0;
  return gaps.filter((gap) => !isWhole(gap / look)).length <= outOfTurn ? look : 0;
}
