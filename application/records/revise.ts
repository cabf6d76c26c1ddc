import { requireMatch } from './if-match.ts';
import { type ChangeTurn, inTurn, type TurnPorts } from './in-turn.ts';

export interface Revision<T> extends ChangeTurn {
  /** Throws Fault `not-found`. */
  readonly load: () => Promise<T>;
  /** The next revision; the same object when nothing changes. */
  readonly change: (before: T) => T;
  /** Throws Fault `precondition` after a concurrent revision. */
  readonly put: (after: T, before: T) => Promise<unknown>;
}
export interface Revised<T> {
  readonly before: T;
  /** The same object when nothing has changed. */
  readonly after: T;
}

/** Reads, changes and puts; again when another change was faster, unless the caller has named the revision that it changes. */
export const revise = <T extends { readonly revision: number }>(
  ports: TurnPorts,
  { load, change, put, ...turn }: Revision<T>,
): Promise<Revised<T>> =>
  inTurn(ports, turn, async () => {
    const before = await load();
    requireMatch(turn.ifMatch, before.revision);
    const after = change(before);
    if (after !== before) await put(after, before);
    return { before, after };
  });
