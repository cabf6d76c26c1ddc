import { Fault } from '#domain/fault.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Database } from '#infra/embedded/journal/database.ts';
import type { PutOptions, RecordTable } from './table.ts';

interface Change {
  /** Makes the change; returns what tells its caller. */
  readonly make: () => Done;
  readonly reject: (error: unknown) => void;
}
type Done = () => void;

/** A change that is refused has written nothing, so it fails by itself. */
function makeOne({ make, reject }: Change): Done {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return () => reject(error);
  }
}

export interface RecordChanges {
  put(tenant: string, kind: string, id: string, body: unknown, options: PutOptions): Promise<number>;
  remove(tenant: string, kind: string, id: string, now: number, sideRecords?: readonly SideRecord[]): Promise<boolean>;
}

/**
 * Joins the changes of one turn of the event loop into one batch. A commit of its own would have the writer apply all that it holds
 * together.
 */
export function coalesceChanges(database: Database, table: RecordTable): RecordChanges {
  let waiting: Change[] = [];
  const flush = async (): Promise<void> => {
    const taken = waiting;
    waiting = [];
    let made: Done[] = [];
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
  const change = <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const make = (): Done => {
        const result = work();
        return () => resolve(result);
      };
      if (waiting.push({ make, reject }) === 1) setImmediate(flush);
    });
  return {
    put: (...given) => change(() => table.put(...given)),
    remove: (...given) => change(() => table.remove(...given)),
  };
}
