import { Fault } from '#domain/fault.ts';
import type { Database } from '#infra/embedded/journal/database.ts';
import type { PutOptions, RecordTable } from './table.ts';

interface Put {
  readonly given: readonly [tenant: string, kind: string, id: string, body: unknown, options: PutOptions];
  readonly resolve: (revision: number) => void;
  readonly reject: (error: unknown) => void;
}
type Done = () => void;

/** A put that is refused has written nothing, so it fails by itself. */
function putOne(table: RecordTable, { given, resolve, reject }: Put): Done {
  try {
    const revision = table.put(...given);
    return () => resolve(revision);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return () => reject(error);
  }
}

/**
 * Joins the puts of one turn of the event loop into one commit, between two batches of the pipeline: a commit costs a hundred times
 * what it writes.
 */
export function coalescePuts(database: Database, table: RecordTable): (...given: Put['given']) => Promise<number> {
  let waiting: Put[] = [];
  let taken: Put[] = [];
  const putAll = (): void => {
    taken = waiting;
    waiting = [];
    for (const done of database.transaction(() => taken.map((put) => putOne(table, put)))) done();
    taken = [];
  };
  /** Also when no turn came, as the store fails. */
  const failed = (error: unknown): void => {
    for (const { reject } of [...taken.splice(0), ...waiting.splice(0)]) reject(error);
  };
  const flush = (): Promise<void> => database.exclusive(putAll).catch(failed);
  return (...given) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ given, resolve, reject }) === 1) setImmediate(flush);
    });
}
