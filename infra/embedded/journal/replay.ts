import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { ulidFrom } from '#domain/access/ulid-time.ts';
import { DEAD_LETTER_KIND, type DeadLetter, LETTER_WAITS_MS } from '#domain/ports/operations.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';
import { inTransaction } from '#infra/embedded/sqlite/transaction.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { Entry } from './journal-entries.ts';
import { type Damage, readRedoLog } from './journal-file.ts';
import { type Changes, carryOut } from './statements.ts';

type Statements = (text: string) => StatementSync;

/** A change that was kept and that the database does not take; all others of its entry are made. */
export interface Refused {
  /** Of its entry. */
  readonly number: number;
  readonly reason: string;
  readonly text: string;
  /** As they can be shown: bytes in base64. */
  readonly values: readonly unknown[];
}

/** Row of `cursor` with the number of the newest entry that is in the database. */
const CURSOR = 'redo';
/** Row of `cursor` with what tells this database from all others, and its redo log from theirs: 48 random bits. */
const IDENTITY = 'identity';
const IDENTIFY = 'INSERT INTO cursor VALUES (?, random() & 0xffffffffffff)';
const MARK = 'INSERT INTO cursor VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position';

export const packChanges = (changes: Changes): Uint8Array<ArrayBuffer> => serialize(changes);

const shown = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'bigint' ? String(value) : value;
};

/** Makes all changes that the database takes, and returns the others; to be called within a transaction. Throws when the store fails. */
export function carryOutKept(statement: Statements, { number, content }: Entry): readonly Refused[] {
  const refused: Refused[] = [];
  carryOut(statement, deserialize(content) as Changes, (text, values, error) => {
    if (isStorageFailure(error)) throw error;
    refused.push({ number, reason: (error as Error).message, text, values: values.map(shown) });
  });
  return refused;
}

const NOW = "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now";
const ADD = 'INSERT OR REPLACE INTO record VALUES (?, ?, ?, 1, ?, ?)';

const letterOf = ({ number, reason, text, values }: Refused, at: number, index: number): DeadLetter => ({
  id: ulidFrom(at, `redo/${number}/${index}`),
  ...{ topic: eventsIncoming, partition: 0, offset: number, position: 0, processor: 'store', reason, attempts: 1, at },
  content: { kind: 'document', base64: Buffer.from(JSON.stringify({ text, values })).toString('base64') },
  settled: null,
});

/**
 * Makes dead letters of what was refused, within the transaction that has the rest. They are nobody's: a row does not say whose it is.
 * Where even they cannot be stored, whoever is told of the refusal is the only one who knows.
 */
export function setAside(statement: Statements, refused: readonly Refused[]): void {
  if (refused.length === 0) return;
  try {
    const at = Number(statement(NOW).get()?.now);
    for (const [index, one] of refused.entries()) {
      const letter = letterOf(one, at, index);
      statement(ADD).run(SYSTEM_TENANT, DEAD_LETTER_KIND, letter.id, at + LETTER_WAITS_MS, JSON.stringify(letter));
    }
  } catch (error) {
    if (isStorageFailure(error)) throw error;
  }
}

const positionOf = (statement: Statements, name: string): number | null =>
  (statement('SELECT position FROM cursor WHERE name = ?').get(name)?.position ?? null) as number | null;

/** Number of the newest entry that is in the database; 0 when none ever was. */
export const markOf = (statement: Statements): number => positionOf(statement, CURSOR) ?? 0;

/** Null when no program that gives one has opened the database yet. */
export const identityOf = (statement: Statements): number | null => positionOf(statement, IDENTITY);

/** Gives the database its identity, once; to be called before the first entry is written for it. */
export function identify(statement: Statements): void {
  if (identityOf(statement) === null) statement(IDENTIFY).run(IDENTITY);
}

/** To be called in the transaction that brings the entries through this number. */
export function mark(statement: Statements, number: number): void {
  statement(MARK).run(CURSOR, number);
}

/** Brings the database what a process or thread that ended had kept but not committed. Returns what it refuses; `damaged` may throw. */
export function catchUp(
  db: DatabaseSync,
  statement: Statements,
  directory: string,
  damaged: (damage: Damage) => void,
): readonly Refused[] {
  const { entries, damage } = readRedoLog(directory, identityOf(statement), markOf(statement));
  if (damage !== null) damaged(damage);
  if (entries.length === 0) return [];
  return inTransaction(db, () => {
    const refused = entries.flatMap((entry) => carryOutKept(statement, entry));
    setAside(statement, refused);
    mark(statement, entries.at(-1)!.number);
    return refused;
  });
}
