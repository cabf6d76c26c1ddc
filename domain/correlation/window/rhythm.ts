/** Seconds that are remembered of a sender: its newest, whatever their order of arrival. */
const KEPT = 64;
/** Distances that it takes to tell a rhythm. */
const ENOUGH = 5;
/** Of all distances so many may be others: a message out of turn does not undo a rhythm. */
const OUT_OF_TURN = 0.1;
/** How far from a whole number of looks a distance may be. */
const SLACK = 0.1;
/** Nearer than this is the same look at the world, s. */
const ONE_LOOK = 5;
const SHORTEST = 15;
/** Five minutes, and what a slow look adds. */
const LONGEST = 315;
/** Times longer ago count no more, s; less than what a start reads again. */
const REACH = 4 * 3_600;
/** Senders of one tenant; the one whose newest word is oldest is forgotten first. */
const SENDERS = 1_000;

/** The newest seconds of which each sender of a tenant spoke, in order of time. */
export type Rhythms = Map<string, number[]>;

const secondOf = (time: number): number => Math.floor(time / 1_000);

const forgetOne = (rhythms: Rhythms): void => {
  let oldest = '';
  let lowest = Number.POSITIVE_INFINITY;
  for (const [source, seconds] of rhythms) {
    const newest = seconds.at(-1) as number;
    if (newest > lowest || (newest === lowest && source > oldest)) continue;
    oldest = source;
    lowest = newest;
  }
  rhythms.delete(oldest);
};

/** Notes that the sender spoke of `time` (ms). What is remembered does not depend on the order of times. */
export function hear(rhythms: Rhythms, source: string, time: number): void {
  const second = secondOf(time);
  const seconds = rhythms.get(source);
  if (seconds === undefined) {
    rhythms.set(source, [second]);
    if (rhythms.size > SENDERS) forgetOne(rhythms);
    return;
  }
  const after = seconds.findLastIndex((known) => known <= second);
  if (seconds[after] === second) return;
  seconds.splice(after + 1, 0, second);
  if (seconds.length > KEPT) seconds.shift();
}

/** Forgets what lies after `time` (ms): a clock had been ahead. */
export function rewindRhythms(rhythms: Rhythms, time: number): void {
  for (const [source, seconds] of rhythms) {
    const kept = seconds.findLastIndex((known) => known <= secondOf(time)) + 1;
    if (kept === 0) rhythms.delete(source);
    else seconds.length = kept;
  }
}

/** Of the seconds near `time` those with which a look began. */
const looksOf = (seconds: readonly number[], second: number): number[] => {
  const looks: number[] = [];
  for (const known of seconds) {
    if (Math.abs(known - second) > REACH) continue;
    if (looks.length === 0 || known - (looks.at(-1) as number) > ONE_LOOK) looks.push(known);
  }
  return looks;
};

const isWhole = (looks: number): boolean => looks > 0.5 && Math.abs(looks - Math.round(looks)) <= SLACK;

/**
 * How often the sender looks, ms, at most 5 min: nine in ten distances between its last distinct times are whole numbers of looks. 0: it
 * speaks at any time, or too seldom to tell.
 */
export function rhythmAt(rhythms: Rhythms, source: string, time: number): number {
  const looks = looksOf(rhythms.get(source) ?? [], secondOf(time));
  const gaps = looks.slice(1).map((known, i) => known - (looks[i] as number));
  if (gaps.length < ENOUGH) return 0;
  const outOfTurn = Math.floor(gaps.length * OUT_OF_TURN);
  const rhythm = gaps.sort((a, b) => a - b)[outOfTurn] as number;
  if (rhythm < SHORTEST || rhythm > LONGEST) return 0;
  return gaps.filter((gap) => !isWhole(gap / rhythm)).length <= outOfTurn ? rhythm * 1_000 : 0;
}
