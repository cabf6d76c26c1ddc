/** The difference between the current set of a source and its previous set. */
import type { SaidEntry } from './wanted.ts';

interface Printed {
  readonly key: string;
  readonly print: string;
}

export interface SetDifference<T extends Printed> {
  /** New, different from before, or back after it was missing. */
  readonly changed: readonly T[];
  readonly unchanged: number;
  /** Part of the previous set only. */
  readonly missing: readonly SaidEntry[];
}

/** `isWhole`: the set is complete; else nothing is missing. Duplicates count once. */
export function differenceOf<T extends Printed>(
  said: ReadonlyMap<string, SaidEntry>,
  wanted: readonly T[],
  isWhole: boolean,
): SetDifference<T> {
  const changed: T[] = [];
  const seen = new Set<string>();
  let unchanged = 0;
  for (const one of wanted) {
    if (seen.has(one.key)) continue;
    seen.add(one.key);
    const before = said.get(one.key);
    if (before === undefined || before.print !== one.print || before.missingSince !== null) changed.push(one);
    else unchanged += 1;
  }
  const missing = isWhole ? [...said.values()].filter(({ key }) => !seen.has(key)) : [];
  return { changed, unchanged, missing };
}

/** Missed for at least the grace. */
export const isDue = ({ missingSince }: Pick<SaidEntry, 'missingSince'>, now: number, graceMs: number): boolean =>
  missingSince !== null && now - missingSince >= graceMs;
