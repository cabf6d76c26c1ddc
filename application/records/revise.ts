import { isOvertaken } from '#domain/fault.ts';
import { requireMatch } from './if-match.ts';

/** Changes of one record that cross each other this often are none any more. */
const TRIES = 5;

export interface Revision<T> {
  /** Throws Fault `not-found`. */
  readonly load: () => Promise<T>;
  /** The next revision; the same object when nothing changes. */
  readonly change: (before: T) => T;
  /** Throws Fault `precondition` when another revision came between. */
  readonly put: (after: T, before: T) => Promise<unknown>;
}
export interface Revised<T> {
  readonly before: T;
  /** The same object when nothing has changed. */
  readonly after: T;
}

/** Reads, changes and puts; again when somebody else was faster, unless the caller has named what he changes. */
export async function revise<T extends { readonly revision: number }>(
  ifMatch: string | null,
  { load, change, put }: Revision<T>,
): Promise<Revised<T>> {
  for (let tries = 1; ; tries++) {
    const before = await load();
    requireMatch(ifMatch, before.revision);
    const after = change(before);
    if (after === before) return { before, after };
    try {
      await put(after, before);
      return { before, after };
    } catch (error) {
      if (!isOvertaken(error) || ifMatch !== null || tries === TRIES) throw error;
    }
  }
}
