import { itemAt } from '#domain/assert.ts';

/** Scores the distance of an event from the history of its signature; times in ms. */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Age limit of earlier events that count. */
export const HISTORY_MS = 30 * DAY_MS;
/** An event begins an episode when there was none in this time before it. */
export const EPISODE_GAP_MS = 20 * MINUTE_MS;
const HALF_LIFE_DAYS = 14;
/** Minimum number of events for a statement about the time of day. */
const MIN_FOR_TIME_OF_DAY = 20;
const MAX_FOR_TIME_OF_DAY = 3;
const QUARTER_MS = DAY_MS / 4;
const [WEEKDAY_BASE, WEEKEND_BASE] = [5 / 28, 1 / 14];
/** 1 January 1970 was a Thursday; Saturday and Sunday are the fifth and sixth day after a Monday. */
const THURSDAY = 3;
const SATURDAY = 5;

/** The event, and earlier new events of its signature. */
export interface Occurrences {
  readonly at: number;
  /** Event times in any order; later ones and those from before 30 days are left out. */
  readonly earlier: readonly number[];
  /** Start of the known history, ms. */
  readonly since: number;
  /** ms that clocks of the tenant's zone are ahead of UTC, now: an hour of summer time moves few events into another quarter of the day. */
  readonly zoneOffset?: number;
}

export interface AnomalyScore {
  /** 0 and up; rarer, burstier and at a stranger time of day is higher. */
  readonly value: number;
  /** Earlier events and episodes, not decayed. */
  readonly events: number;
  readonly episodes: number;
  /** Known time before the event, at most 30 days. */
  readonly days: number;
  /** The event and those of the last 20 minutes. */
  readonly run: number;
  readonly lastAt: number | null;
}

const weight = (ageMs: number): number => 2 ** (-ageMs / DAY_MS / HALF_LIFE_DAYS);
/** Days as they count when each counts by its age. */
const decayedDays = (days: number): number => (HALF_LIFE_DAYS / Math.LN2) * (1 - 2 ** (-days / HALF_LIFE_DAYS));

/** Weekday or weekend, and which quarter of the day; of a time as clocks show it. */
const partOf = (at: number): number => {
  const weekday = (Math.floor(at / DAY_MS) + THURSDAY) % 7;
  const quarter = Math.floor((at % DAY_MS) / QUARTER_MS);
  return quarter + (weekday >= SATURDAY ? 4 : 0);
};

/** Bits for an episode now, when `episodes` were seen in `days`. */
const rarity = (episodes: number, days: number): number => -Math.log2(1 - Math.exp(-(episodes + 0.5) / (days + 0.5)));

/** Bits for a number of events in one episode; the number is geometric around the usual one. */
const burst = (run: number, events: number, episodes: number): number =>
  -(run - 1) * Math.log2(1 - 1 / Math.max(1.5, (events + 1) / (episodes + 1) + 0.5));

function timeOfDay(at: number, earlier: readonly number[], events: number, zoneOffset: number): number {
  if (events < MIN_FOR_TIME_OF_DAY) return 0;
  const part = partOf(at + zoneOffset);
  const inPart = earlier.reduce((sum, time) => sum + (partOf(time + zoneOffset) === part ? weight(at - time) : 0), 0);
  const share = (inPart + 0.15) / (events + 1.2);
  return Math.min(MAX_FOR_TIME_OF_DAY, Math.max(0, Math.log2((part < 4 ? WEEKDAY_BASE : WEEKEND_BASE) / share)));
}

const startsEpisode = (times: readonly number[], index: number): boolean =>
  index === 0 || itemAt(times, index) - itemAt(times, index - 1) > EPISODE_GAP_MS;

/** Episodes and events, each counted by its age; `running`: the weight of an episode that has not ended at `at`. */
function counted(at: number, times: readonly number[]) {
  let [events, episodes, number, lastStart] = [0, 0, 0, 0];
  for (const [index, time] of times.entries()) {
    events += weight(at - time);
    if (!startsEpisode(times, index)) continue;
    lastStart = weight(at - time);
    episodes += lastStart;
    number += 1;
  }
  const last = times.at(-1);
  const running = last !== undefined && at - last <= EPISODE_GAP_MS ? lastStart : 0;
  return { events, episodes, number, running };
}

export function anomalyScoreOf({ at, earlier, since, zoneOffset = 0 }: Occurrences): AnomalyScore {
  const times = earlier.filter((time) => time <= at && time >= at - HISTORY_MS).sort((a, b) => a - b);
  const days = Math.max(0, Math.min(HISTORY_MS, at - since)) / DAY_MS;
  const { events, episodes, number, running } = counted(at, times);
  const run = 1 + times.filter((time) => time >= at - EPISODE_GAP_MS).length;
  const rare = rarity(episodes - running, decayedDays(days));
  const many = burst(run, events, episodes);
  const value = Math.max(rare, many) + Math.min(rare, many) / 2 + timeOfDay(at, times, events, zoneOffset) / 2;
  return { value, events: times.length, episodes: number, days, run, lastAt: times.at(-1) ?? null };
}
