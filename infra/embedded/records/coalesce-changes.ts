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
 * Joins the changes of one turn of the event loop into one commit, between two batches of the pipeline: a commit costs a hundred
 * times what it writes.
 */
export function coalesceChanges(database: Database, table: RecordTable): RecordChanges {
  let waiting: Change[] = [];
  let taken: Change[] = [];
  const makeAll = (): void => {
    taken = waiting;
    waiting = [];
    for (const done of database.transaction(() => taken.map(makeOne))) done();
    taken = [];
  };
  /** Also when no turn came, as the store fails. */
  const failed = (error: unknown): void => {
    for (const { reject } of [...taken.splice(0), ...waiting.splice(0)]) reject(error);
  };
  const flush = (): Promise<void> => database.exclusive(makeAll).catch(failed);
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
