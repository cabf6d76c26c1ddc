import type { DatabaseSync } from 'node:sqlite';
import { deserialize } from 'node:v8';
import { ulidFrom } from '#domain/access/ulid-time.ts';
import { itemAt, lastItem } from '#domain/assert.ts';
import { DEAD_LETTER_KIND, type DeadLetter, LETTER_WAITS_MS } from '#domain/ports/operations.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';
import type { Prepare } from '#infra/embedded/sqlite/rows.ts';
import { inTransaction } from '#infra/embedded/sqlite/transaction.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { RedoLogEntry } from './redo-log-entries.ts';
import { type Damage, freeCopy, readRedoLog } from './redo-log-file.ts';
import { execute, LateStatements, type RowChanges } from './statements.ts';

/** A durable change that the database rejects; all others of its entry are made. */
export interface RefusedChange {
  /** Number of its entry. */
  readonly number: number;
  readonly reason: string;
  readonly text: string;
  /** Bytes as base64. */
  readonly values: readonly unknown[];
}

/** Row of `cursor` with the number of the newest entry applied to the database. */
const CURSOR = 'redo';
/** Row of `cursor` with the identity of this database and its journal: 48 random bits. */
const IDENTITY = 'identity';
/** Rows of `cursor` for a damaged journal whose files are not yet set aside. */
const DAMAGE = ['damaged: lost', 'damaged: first behind', 'damaged: last behind', 'damaged: copy'] as const;
const IDENTIFY = 'INSERT INTO cursor VALUES (?, random() & 0xffffffffffff)';
const MARK = 'INSERT INTO cursor VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position';

const shown = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'bigint' ? String(value) : value;
};

/**
 * Makes all changes that the database accepts, and adds the others to `refused`; to be called within a transaction, at
 * the end of which `late` runs. Throws when the store fails.
 */
export function executeEntry(
  statement: Prepare,
  { number, content }: RedoLogEntry,
  { refused, late }: { readonly refused: RefusedChange[]; readonly late: LateStatements },
): void {
  const refuse = (text: string, values: readonly unknown[], error: unknown): void => {
    if (isStorageFailure(error)) throw error;
    refused.push({ number, reason: (error as Error).message, text, values: values.map(shown) });
  };
  execute(statement, deserialize(content) as RowChanges, { refuse, late });
}

const NOW = "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now";
const ADD = 'INSERT OR REPLACE INTO record VALUES (?, ?, ?, 1, ?, ?)';

const letterOf = ({ number, reason, text, values }: RefusedChange, at: number, index: number): DeadLetter => ({
  id: ulidFrom(at, `redo/${number}/${index}`),
  topic: eventsIncoming,
  partition: 0,
  offset: number,
  position: 0,
  processor: 'store',
  reason,
  attempts: 1,
  at,
  content: { kind: 'document', base64: Buffer.from(JSON.stringify({ text, values })).toString('base64') },
  settled: null,
});

/**
 * Stores refused changes as dead letters, within the transaction of the others. They belong to no tenant, since a row does not name one.
 * When the letters cannot be stored either, only the `refused` message has the changes.
 */
export function storeRefused(statement: Prepare, refused: readonly RefusedChange[]): void {
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

const positionOf = (statement: Prepare, name: string): number | null =>
  (statement('SELECT position FROM cursor WHERE name = ?').get(name)?.position ?? null) as number | null;

/** Number of the newest applied entry; 0 before the first. */
export const lastAppliedOf = (statement: Prepare): number => positionOf(statement, CURSOR) ?? 0;

/** Returns null when the start that made the database was killed before it set one. */
export const identityOf = (statement: Prepare): number | null => positionOf(statement, IDENTITY);

/** Sets the identity of the database, once; must be called before its first entry is written. */
export function identify(statement: Prepare): void {
  if (identityOf(statement) === null) statement(IDENTIFY).run(IDENTITY);
}

/** Must be called in the transaction that applies the entries through this number. */
export function setLastApplied(statement: Prepare, number: number): void {
  statement(MARK).run(CURSOR, number);
}

/** A damage whose files are not all set aside, and the copy under whose names they go. */
interface NotedDamage extends Damage {
  readonly copy: number;
}

/** Null unless a start that found the journal damaged was killed before it had set its files aside and called `forgetDamage`. */
export function damageOf(statement: Prepare): NotedDamage | null {
  const [lost, first, last, copy] = DAMAGE.map((name) => positionOf(statement, name) ?? undefined);
  if (lost === undefined || first === undefined || last === undefined || copy === undefined) return null;
  return { lost, behind: [first, last], copy };
}

function noteDamage(statement: Prepare, { lost, behind, copy }: NotedDamage): void {
  for (const [index, position] of [lost, ...behind, copy].entries())
    statement(MARK).run(itemAt(DAMAGE, index), position);
}

/** Must be called when the files are set aside. */
export function forgetDamage(statement: Prepare): void {
  statement('DELETE FROM cursor WHERE name IN (?, ?, ?, ?)').run(...DAMAGE);
}

/** Applies the durable entries that an ended process or thread had not committed. Returns the refused changes; `damaged` may throw. */
export function replay(
  db: DatabaseSync,
  statement: Prepare,
  directory: string,
  damaged: (damage: Damage) => void = () => {},
): readonly RefusedChange[] {
  const noted = damageOf(statement);
  if (noted !== null) {
    damaged(noted);
    return [];
  }
  const { entries, damage } = readRedoLog(directory, identityOf(statement), lastAppliedOf(statement));
  if (damage !== null) damaged(damage);
  if (entries.length === 0 && damage === null) return [];
  return inTransaction(db, () => {
    const refused: RefusedChange[] = [];
    const late = new LateStatements();
    for (const entry of entries) executeEntry(statement, entry, { refused, late });
    late.run(statement);
    storeRefused(statement, refused);
    if (entries.length > 0) setLastApplied(statement, lastItem(entries).number);
    // A damaged journal with its first entries applied looks like one of another database.
    if (damage !== null) noteDamage(statement, { ...damage, copy: freeCopy(directory, damage) });
    return refused;
  });
}
