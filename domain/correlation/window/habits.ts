/** Earlier occurrences of the problems of CIs: a standing warning is no news. */
import type { Arrival } from '#domain/correlation/records.ts';
import { saidBy } from '#domain/correlation/said.ts';

/** Openings fade with this time constant, ms. */
const FADING_MS = 7 * 86_400_000;
/** Openings within this time are one, and those within the last such time belong to the current incident, ms. */
const APART_MS = 30 * 60_000;
/** Time after which an opening is forgotten, ms: it counts for less than a fiftieth by then. */
export const HABIT_AGE_MS = 28 * 86_400_000;
/**
 * Maximum of CI and problem pairs of one tenant; those silent for longest are forgotten first. About 250 bytes each.
 */
const MAX_HABITS = 50_000;

/** The last occurrence that counts, ms, and the sum of those before it at that time. */
interface Habit {
  readonly at: number;
  readonly before: number;
}

/** Habits of one tenant. */
export interface Habits {
  /** Habits by CI and problem, the latest opening at the end. */
  readonly known: Map<string, Habit>;
  /** Habits changed since they were saved, and the time of the oldest of these openings, ms. */
  readonly unsaved: Set<string>;
  unsavedSince: number;
  /** Highest time of an arrival, ms. */
  newest: number;
}

export const openHabits = (): Habits => ({
  known: new Map(),
  unsaved: new Set(),
  unsavedSince: Number.POSITIVE_INFINITY,
  newest: Number.NEGATIVE_INFINITY,
});

const keyOf = (arrival: Arrival): string | null => {
  const said = arrival.ciId === null ? null : saidBy(arrival);
  return said === null ? null : `${arrival.ciId} ${said}`;
};

const DECIMALS = 1_000;
const rounded = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;

const faded = ({ at, before }: Habit, time: number): number => {
  const age = Math.max(0, time - at);
  return (before + (age >= APART_MS ? 1 : 0)) * Math.exp(-age / FADING_MS);
};

/** Returns the habit of the problem at the time of the event; undefined where it has no CI or no problem. */
export const habitAt = ({ known }: Pick<Habits, 'known'>, arrival: Arrival): number | undefined => {
  const key = keyOf(arrival);
  if (key === null) return undefined;
  const habit = known.get(key);
  return habit === undefined ? 0 : rounded(faded(habit, arrival.time));
};

/** The oldest are evicted beyond the bounds: O(1), as they are in order. */
const keep = ({ known, unsaved }: Habits, key: string, habit: Habit): void => {
  known.delete(key);
  known.set(key, habit);
  for (const [oldest, { at }] of known) {
    if (known.size <= MAX_HABITS && at >= habit.at - HABIT_AGE_MS) return;
    known.delete(oldest);
    unsaved.delete(oldest);
  }
};

/** Half of the arrivals that a start reads, from which it restores unsaved habits, ms. */
const UNSAVED_MS = 12 * 3_600_000;
/** An opening that arrives this late is not recorded, or each one of an imported past would be saved at once; ms. */
const LATE_MS = UNSAVED_MS / 2;
const MAX_UNSAVED = 500;

/** Records the opening; a repeated one changes nothing. */
export const noteHabit = (habits: Habits, arrival: Arrival): void => {
  const { time } = arrival;
  habits.newest = Math.max(habits.newest, time);
  const key = arrival.rebound || time < habits.newest - LATE_MS ? null : keyOf(arrival);
  if (key === null) return;
  const habit = habits.known.get(key);
  if (habit !== undefined && time < habit.at + APART_MS) return;
  keep(habits, key, { at: time, before: habit === undefined ? 0 : faded(habit, time) });
  habits.unsavedSince = Math.min(habits.unsavedSince, time);
  habits.unsaved.add(key);
};

/** Forgets openings after `time` (ms): a clock had been ahead. */
export const rewindHabits = (habits: Habits, time: number): void => {
  habits.newest = Math.min(habits.newest, time);
  for (const [key, { at }] of habits.known)
    if (at > time) {
      habits.known.delete(key);
      habits.unsaved.delete(key);
    }
};

/** Kind of the records with habits that have changed, in the order of their ids. */
export const HABITS = 'habits';
/** CI and problem, the last opening that counts, ms, and the sum of the earlier ones at that time. */
export type SavedHabits = readonly (readonly [key: string, at: number, before: number])[];

/** Returns habits to be saved now: a few hundred at a time, or habits that have waited for half a day. */
export const takeUnsaved = (habits: Habits): SavedHabits | null => {
  const { known, unsaved, unsavedSince, newest } = habits;
  if (unsaved.size === 0 || (unsaved.size < MAX_UNSAVED && newest < unsavedSince + UNSAVED_MS)) return null;
  const saved = [...unsaved].flatMap((key) => {
    const habit = known.get(key);
    return habit === undefined ? [] : [[key, habit.at, habit.before] as const];
  });
  unsaved.clear();
  habits.unsavedSince = Number.POSITIVE_INFINITY;
  return saved;
};

/** Restores saved habits, the older ones first; later arrivals are recorded after them. */
export const restoreHabits = (habits: Habits, saved: SavedHabits): void => {
  for (const [key, at, before] of saved) keep(habits, key, { at, before });
};
