import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { type Changes, carryOut } from './changes.ts';
import { type Entry, readRedoLog } from './redo-log.ts';
import { isStorageFailure } from './storage-failure.ts';
import { inTransaction } from './transaction.ts';

type Statements = (text: string) => StatementSync;

/** An entry that the database does not take any more, though it took it before it was kept. */
export interface Refused {
  readonly number: number;
  readonly message: string;
}

/** Row of `cursor` with the number of the newest entry that is in the database. */
const CURSOR = 'redo';
const MARK = 'INSERT INTO cursor VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position';

export const packChanges = (changes: Changes): Uint8Array => serialize(changes);

/** Makes the changes; to be called within a transaction. */
export const carryOutPacked = (statement: Statements, content: Uint8Array): void =>
  carryOut(statement, deserialize(content) as Changes);

/** Number of the newest entry that is in the database; 0 when none ever was. */
export const markOf = (statement: Statements): number =>
  Number(statement('SELECT position FROM cursor WHERE name = ?').get(CURSOR)?.position ?? 0);

/** To be called in the transaction that brings the entries through this number. */
export function mark(statement: Statements, number: number): void {
  statement(MARK).run(CURSOR, number);
}

/** Brings the database what a process or thread that ended had kept but not committed. Returns the entries that it refuses. */
export function catchUp(db: DatabaseSync, statement: Statements, directory: string): readonly Refused[] {
  const entries = readRedoLog(directory, markOf(statement));
  if (entries.length === 0) return [];
  const redo = (some: readonly Entry[]): void =>
    inTransaction(db, () => {
      for (const { content } of some) carryOutPacked(statement, content);
      mark(statement, some.at(-1)!.number);
    });
  try {
    redo(entries);
    return [];
  } catch (error) {
    if (isStorageFailure(error)) throw error;
  }
  const refused: Refused[] = [];
  for (const entry of entries) {
    try {
      redo([entry]);
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      refused.push({ number: entry.number, message: (error as Error).message });
    }
  }
  return refused;
}
