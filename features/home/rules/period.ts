import type { Actor } from '#domain/event/event.ts';

/** Times in ms; null: it has not ended. */
interface PeriodSpan {
  readonly from: number;
  readonly to: number | null;
}

export const LONGEST = 3;

/** Returns the longest, at `now`. */
export const longestOf = <Row extends PeriodSpan>(rows: readonly Row[], now: number): Row[] =>
  rows.toSorted((a, b) => (b.to ?? now) - b.from - ((a.to ?? now) - a.from)).slice(0, LONGEST);

interface UserAction {
  readonly actor: Actor;
  readonly action: string;
  readonly at: number;
}
/** Actions of one user in the period. */
export interface UserActions {
  readonly user: Actor;
  /** Time of the last one, ms. */
  readonly last: number;
  /** Most frequent first. */
  readonly actions: readonly { readonly action: string; readonly count: number }[];
}

/** Actions by user, the one with most actions first. */
export const actionsByUser = (actions: readonly UserAction[]): readonly UserActions[] =>
  [...Map.groupBy(actions, ({ actor }) => actor.id).values()]
    .toSorted((a, b) => b.length - a.length)
    .flatMap((all) => {
      const [first] = all;
      if (first === undefined) return [];
      const counts = [...Map.groupBy(all, ({ action }) => action)]
        .map(([action, { length: count }]) => ({ action, count }))
        .sort((a, b) => b.count - a.count || (a.action < b.action ? -1 : 1));
      return [{ user: first.actor, last: Math.max(...all.map(({ at }) => at)), actions: counts }];
    });
