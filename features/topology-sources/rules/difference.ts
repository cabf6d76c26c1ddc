/** The difference between the current set of a source and its previous set. */
import type { Stepwise } from '#domain/ports/clock.ts';
import type { SaidEntry } from './wanted.ts';

interface Printed {
  readonly key: string;
  readonly print: string;
}

export interface SetDifference<T extends Printed> {
  /** New, different from before, or back after it was missing. */
  readonly changed: readonly T[];
  readonly unchanged: number;
  /** Found only in the previous set. */
  readonly missing: readonly SaidEntry[];
}

/** Nothing is missing unless `isWhole`. Duplicates count once. */
export function* differenceOf<T extends Printed>(
  said: ReadonlyMap<string, SaidEntry>,
  wanted: readonly T[],
  isWhole: boolean,
): Stepwise<SetDifference<T>> {
  const changed: T[] = [];
  const seen = new Set<string>();
  let unchanged = 0;
  for (const one of wanted) {
    yield;
    if (seen.has(one.key)) continue;
    seen.add(one.key);
    const before = said.get(one.key);
    if (before === undefined || before.print !== one.print || before.missingSince !== null) changed.push(one);
    else unchanged += 1;
  }
  const missing = isWhole ? [...said.values()].filter(({ key }) => !seen.has(key)) : [];
  return { changed, unchanged, missing };
}

/** True if it has been missing for at least the grace period. */
export const isDue = ({ missingSince }: Pick<SaidEntry, 'missingSince'>, now: number, graceMs: number): boolean =>
  missingSince !== null && now - missingSince >= graceMs;
