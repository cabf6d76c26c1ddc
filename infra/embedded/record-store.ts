import { Fault } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { PutOptions, RecordTable } from './records/table.ts';
import type { Database } from './redo-log/database.ts';

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

interface RecordChanges {
  put(tenant: string, kind: string, id: string, body: unknown, options: PutOptions): Promise<number>;
  remove(tenant: string, kind: string, id: string, now: number, sideRecords?: readonly SideRecord[]): Promise<boolean>;
}

/**
 * Joins the changes of one turn of the event loop into one batch. A commit of its own would have the writer apply all that it holds
 * together.
 */
function coalesceChanges(database: Database, table: RecordTable): RecordChanges {
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
  const change = <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const make = (): Completion => {
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

export function openRecordStore(database: Database, table: RecordTable, clock: Clock): RecordStore {
  const changes = coalesceChanges(database, table);
  return {
    async get<T>(tenant: string, kind: string, id: string): Promise<StoredRecord<T> | null> {
      return table.get<T>(tenant, kind, id, clock.now()) ?? null;
    },
    put: (tenant, kind, id, body, options = {}) =>
      changes.put(tenant, kind, id, body, { ...options, now: clock.now() }),
    remove: (tenant, kind, id, sideRecords) => changes.remove(tenant, kind, id, clock.now(), sideRecords),
    async list<T>(
      tenant: string,
      kind: string,
      options: { readonly after?: string; readonly limit: number; readonly descending?: boolean },
    ): Promise<StoredRecord<T>[]> {
      return table.list<T>(tenant, kind, { ...options, now: clock.now() });
    },
  };
}
