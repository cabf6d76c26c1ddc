import type { Arrival } from '#domain/correlation/records.ts';
import { NO_TRANSITIONS, type PlacedTransition } from '#domain/correlation/status-transitions.ts';
import type { SavedHabits } from '#domain/correlation/window/habits.ts';
import type { Emits, Entry, Join, Restorable } from '#domain/pipeline/processor.ts';

/** Runs one join by itself; collects what it emits. */
export function driveJoin<State, In>(join: Join<State, In>, state: State = join.open()) {
  const emitted: { topic: string; entry: Entry<unknown> }[] = [];
  const effects: Emits = { emit: (topic, entry) => void emitted.push({ topic, entry }) };
  const match = (entries: readonly Entry<In>[]): void => {
    for (const entry of entries) join.match(state, entry, effects);
  };
  const passed = (position: number): void => join.passed({ tenant: '', position, value: null }, effects);
  return { state, emitted, match, passed };
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** A store that holds these arrivals; the reach is honored. */
export const restorableOf = (
  given: readonly { arrival: Arrival; late: boolean; turns?: readonly PlacedTransition[] }[],
  until: number = Number.POSITIVE_INFINITY,
  habits: readonly { tenant: string; saved: SavedHabits }[] = [],
): Restorable => {
  const arrivals = given.map(({ arrival, late, turns = NO_TRANSITIONS }) => ({ arrival, late, turns }));
  const newest = new Map<string, number>();
  for (const { arrival } of arrivals.filter(({ arrival: { time } }) => time <= until))
    newest.set(arrival.tenant, Math.max(newest.get(arrival.tenant) ?? Number.NEGATIVE_INFINITY, arrival.time));
  return {
    until,
    openEvents: () => each([]),
    seen: () => each([]),
    recoveries: () => each([]),
    arrivals: (reachMs) =>
      each([arrivals.filter(({ arrival: { tenant, time } }) => time >= (newest.get(tenant) ?? 0) - reachMs)]),
    habits: () => each(habits),
    openGroups: () => each([]),
    lasting: () => each([]),
    decisions: () => each([]),
    watermarks: () => each([...newest].map(([tenant, time]) => ({ tenant, time, last: time, newest: time }))),
  };
};
