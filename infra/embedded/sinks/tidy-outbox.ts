import { setImmediate } from 'node:timers/promises';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { OutboxRow, type StoredRow } from './outbox.ts';

const DAY_MS = 24 * 3_600_000;
/** Retention of events without a sink. */
const KEPT_MS = 7 * DAY_MS;
const MAX_ENTRIES = 2_000_000;
/** Rows per transaction, so that it does not block other work. */
const ROWS = 2_000;
/** Rows read and rewritten per transaction; some are large. */
const REWRITTEN = 50;

const FIRST = `SELECT last FROM outbox WHERE last <= ? ORDER BY last LIMIT 1 OFFSET ${ROWS - 1}`;

/** Deletes the rows up to a number. */
const eraseThrough = async (database: Database, through: number): Promise<void> => {
  for (let more = true; more; await setImmediate())
    more = await database.exclusive(() => {
      const chunk = database.statement(FIRST).get(through)?.last;
      database.write('DELETE FROM outbox WHERE last <= ?', Number(chunk ?? through));
      return chunk !== undefined;
    });
};

/** The number up to which rows are too old or too many; 0: none are. */
const tooMuch = (database: Database, now: number | null, mostEntries: number): number => {
  const newest = Number(database.statement('SELECT max(last) AS last FROM outbox').get()?.last ?? 0);
  // The numbers of rows grow with their times.
  const young = database.statement('SELECT last FROM outbox WHERE at >= ? ORDER BY last LIMIT 1');
  const kept = now === null ? { last: 1 } : young.get(now - KEPT_MS);
  const old = kept === undefined ? newest : Number(kept.last) - 1;
  const whole = database.statement('SELECT max(last) AS last FROM outbox WHERE last <= ?');
  return Number(whole.get(Math.max(old, newest - mostEntries))?.last ?? 0);
};

export interface Tidied {
  /** A number through which entries were deleted though some sink had not consumed them; null: none were. */
  readonly dropped: number | null;
}

/**
 * Deletes events that all sinks have consumed up to `taken`, and those too old or too many; without `now` nothing is
 * too old.
 */
export const tidyOutbox = async (
  database: Database,
  taken: number,
  { now, mostEntries = MAX_ENTRIES }: { readonly now: number | null; readonly mostEntries?: number },
): Promise<Tidied> => {
  await eraseThrough(database, taken);
  const through = tooMuch(database, now, mostEntries);
  if (through <= taken) return { dropped: null };
  await eraseThrough(database, through);
  return { dropped: through };
};

/** Deletes a part of a tenant's content from the rows; returns true if there may be more. */
export const outboxTurn = (database: Database, tenant: string): (() => boolean) => {
  let through = 0;
  return () => {
    const text = `SELECT last, at, body FROM outbox WHERE last > ? ORDER BY last LIMIT ${REWRITTEN}`;
    const rows = database.statement<StoredRow>(text).all(through);
    for (const row of rows) {
      const body = new OutboxRow(row).without(tenant);
      if (body !== null) database.write('UPDATE outbox SET body = ? WHERE last = ?', body, row.last);
      through = row.last;
    }
    return rows.length === REWRITTEN;
  };
};
