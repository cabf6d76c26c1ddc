/** Maximum of seconds remembered of a sender: its newest, in any order of arrival. */
const KEPT = 64;
/** Number of distances needed to detect a polling interval. */
const ENOUGH = 5;
/** Share of all distances that may differ: a message out of turn does not undo a polling interval. */
const OUT_OF_TURN = 0.1;
/** Maximum deviation of a distance from a whole number of polls. */
const SLACK = 0.1;
/** Times closer than this are one poll, s. */
const ONE_LOOK = 5;
const SHORTEST = 15;
/** Five minutes, plus the delay of a slow poll, s. */
const LONGEST = 315;
/** Age beyond which times do not count, s; less than the range that a start reads again. */
const REACH = 4 * 3_600;
/** Senders of one tenant; the one whose newest word is oldest is forgotten first. */
const SENDERS = 1_000;

/** The newest seconds of which each sender of a tenant spoke, in order of time. */
export type PollTimes = Map<string, number[]>;

const secondOf = (time: number): number => Math.floor(time / 1_000);

const forgetOne = (rhythms: PollTimes): void => {
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

/** Records a message of the sender at `time` (ms). The result does not depend on the order of times. */
export function hear(rhythms: PollTimes, source: string, time: number): void {
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

/** Forgets times after `time` (ms): a clock had been ahead. */
export function rewindPollTimes(rhythms: PollTimes, time: number): void {
  for (const [source, seconds] of rhythms) {
    const kept = seconds.findLastIndex((known) => known <= secondOf(time)) + 1;
    if (kept === 0) rhythms.delete(source);
    else seconds.length = kept;
  }
}

/** Returns the seconds near `time` at which a poll began. */
const pollsOf = (seconds: readonly number[], second: number): number[] => {
  const polls: number[] = [];
  for (const known of seconds) {
    if (Math.abs(known - second) > REACH) continue;
    if (polls.length === 0 || known - (polls.at(-1) as number) > ONE_LOOK) polls.push(known);
  }
  return polls;
};

const isWhole = (polls: number): boolean => polls > 0.5 && Math.abs(polls - Math.round(polls)) <= SLACK;

/**
 * Returns the polling interval of the sender, ms, at most 5 min: nine in ten distances between its last distinct times
 * are multiples of it. 0: it sends at any time, or too seldom to detect one.
 */
export function pollingIntervalAt(rhythms: PollTimes, source: string, time: number): number {
  const polls = pollsOf(rhythms.get(source) ?? [], secondOf(time));
  const gaps = polls.slice(1).map((known, i) => known - (polls[i] as number));
  if (gaps.length < ENOUGH) return 0;
  const outOfTurn = Math.floor(gaps.length * OUT_OF_TURN);
  const rhythm = gaps.sort((a, b) => a - b)[outOfTurn] as number;
  if (rhythm < SHORTEST || rhythm > LONGEST) return 0;
  return gaps.filter((gap) => !isWhole(gap / rhythm)).length <= outOfTurn ? rhythm * 1_000 : 0;
}
