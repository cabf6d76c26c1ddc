import { Fault } from '#domain/fault.ts';
import type { Database } from './database.ts';

interface QueuedChange {
  /** Makes the change; returns the function that notifies its caller. */
  readonly make: () => Completion;
  readonly reject: (error: unknown) => void;
}
type Completion = () => void;

/** A change that is refused has written nothing, so it fails by itself. */
function makeOne({ make, reject }: QueuedChange): Completion {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return () => reject(error);
  }
}

/**
 * Joins the changes of one turn of the event loop into one batch. A commit of its own would have the writer apply all that it holds
 * together.
 */
export function joinChanges(database: Pick<Database, 'submit'>): <T>(work: () => T) => Promise<T> {
  let waiting: QueuedChange[] = [];
  const flush = async (): Promise<void> => {
    const taken = waiting;
    waiting = [];
    let made: Completion[] = [];
    try {
      await database.submit(() => {
        made = taken.map(makeOne);
      });
    } catch (error) {
      for (const { reject } of taken) reject(error);
      return;
    }
    for (const done of made) done();
  };
  return <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const make = (): Completion => {
        const result = work();
        return () => resolve(result);
      };
      if (waiting.push({ make, reject }) === 1) setImmediate(flush);
    });
}
