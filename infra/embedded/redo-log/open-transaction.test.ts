import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StorageFailure } from '#infra/embedded/sqlite/errors.ts';
import type { Prepare, Statement } from '#infra/embedded/sqlite/rows.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { type Database, openDatabase } from './database.ts';
import type { DurableEntry } from './messages.ts';
import { OpenTransaction } from './open-transaction.ts';
import { lastAppliedOf } from './replay.ts';
import { packChanges } from './writer.ts';

const PUT = 'INSERT INTO cursor VALUES (?, ?)';
const TEXT = 'INSERT OR REPLACE INTO event_text (rowid, tenant, title, description) VALUES (?, ?, ?, ?)';

let directory: ReturnType<typeof temporaryDirectory>;
let database: Database;
/** Number of statements that the disk still accepts. */
let taken: number;
/** Statements that changed rows, in order. */
let ran: string[];
let transaction: OpenTransaction;

/** The database's statements, on a disk that fails after this number of writes. */
const failing: Prepare = <R>(text: string): Statement<R> => {
  const statement = database.statement<R>(text);
  return new Proxy(statement, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...values: unknown[]): unknown => {
        if (name === 'run' && taken-- <= 0) throw new StorageFailure('disk I/O error');
        if (name === 'run') ran.push(text);
        return value.apply(target, values);
      };
    },
  });
};

/** One row for each name. Batches have other numbers than entries. */
const entry = (number: number, ...names: readonly string[]): DurableEntry => ({
  number,
  batch: 100 + number,
  content: packChanges({
    texts: [PUT],
    steps: names.flatMap(() => [0, 2]),
    values: names.flatMap((name) => [name, number]),
  }),
});

/** Returns the rows visible to another connection. */
const committed = (): string[] => {
  const other = new DatabaseSync(`${directory.path}/faultline.db`);
  const rows = other
    .prepare("SELECT name FROM cursor WHERE name NOT IN ('redo', 'identity') ORDER BY position, name")
    .all();
  other.close();
  return rows.map(({ name }) => String(name));
};

beforeEach(() => {
  directory = temporaryDirectory();
  database = openDatabase(directory.path);
  taken = Number.POSITIVE_INFINITY;
  ran = [];
  transaction = new OpenTransaction(database.db, failing);
});
afterEach(() => {
  database.close();
  directory.remove();
});

describe('Entries in the open transaction', () => {
  test('are seen by others from the commit on, which says how far it goes', () => {
    transaction.take([entry(1, 'a'), entry(2, 'b')]);
    expect([committed(), transaction.count]).toEqual([[], 2]);
    transaction.take([entry(3, 'c')]);
    expect(transaction.commit()).toEqual({ last: 3, through: 103, refused: [] });
    expect(committed()).toEqual(['a', 'b', 'c']);
    expect(lastAppliedOf(database.statement)).toBe(3);
  });

  test('reach text indexes at its end, in the order of rows, and settle once', () => {
    const texts = [TEXT, PUT, 'DELETE FROM event_text WHERE rowid = ?', 'DELETE FROM search_due'];
    const values = [2, 't', 'two', '', 'a', 1, 1, 't', 'one', '', 3, 't', 'three', '', 3];
    transaction.take([
      {
        number: 1,
        batch: 101,
        content: packChanges({ texts, steps: [0, 4, 1, 2, 3, 0, 0, 4, 0, 4, 2, 1, 3, 0], values }),
      },
    ]);
    expect(ran).toEqual([PUT]);
    transaction.commit();
    expect(ran.slice(1, 6)).toEqual([TEXT, TEXT, TEXT, texts[2], texts[3]]);
    expect(database.arrays('SELECT rowid FROM event_text ORDER BY rowid').all()).toEqual([[1], [2]]);
  });

  test('reach text indexes once after a commit that failed', () => {
    transaction.take([
      { number: 1, batch: 101, content: packChanges({ texts: [TEXT], steps: [0, 4], values: [1, 't', 'one', ''] }) },
    ]);
    taken = 1;
    expect(() => transaction.commit()).toThrow('disk I/O error');
    taken = Number.POSITIVE_INFINITY;
    expect(transaction.commit()).toMatchObject({ last: 1, refused: [] });
    expect(ran.filter((text) => text === TEXT)).toHaveLength(2);
    expect(database.arrays('SELECT rowid FROM event_text').all()).toEqual([[1]]);
  });

  test('are none after a commit', () => {
    transaction.take([entry(1, 'a')]);
    transaction.commit();
    expect([transaction.commit(), transaction.count, transaction.bytes]).toEqual([null, 0, 0]);
  });

  test('that the database refuses are said and set aside once; the others are made', () => {
    transaction.take([entry(1, 'a'), entry(2, 'a', 'b')]);
    expect(transaction.commit()).toMatchObject({ last: 2, through: 102, refused: [{ number: 2, values: ['a', 2] }] });
    transaction.take([entry(3, 'c')]);
    expect(transaction.commit()).toMatchObject({ refused: [] });
    expect(committed()).toEqual(['a', 'b', 'c']);
    expect(database.arrays('SELECT count(*) FROM record').get()).toEqual([1]);
  });

  test('wait when the store fails, with those that come, until a commit succeeds', () => {
    taken = 1;
    expect(() => transaction.take([entry(1, 'a'), entry(2, 'b')])).toThrow('disk I/O error');
    expect([transaction.hasFailed, database.db.isTransaction]).toEqual([true, false]);
    transaction.take([entry(3, 'c')]);
    expect(() => transaction.commit()).toThrow('disk I/O error');
    expect(committed()).toEqual([]);
    taken = Number.POSITIVE_INFINITY;
    expect(transaction.commit()).toMatchObject({ last: 3, through: 103 });
    expect([transaction.hasFailed, committed()]).toEqual([false, ['a', 'b', 'c']]);
  });

  test('refused ones are said once, though a failure made the transaction begin anew', () => {
    transaction.take([entry(1, 'a'), entry(2, 'a')]);
    taken = 0;
    expect(() => transaction.commit()).toThrow('disk I/O error');
    taken = Number.POSITIVE_INFINITY;
    expect(transaction.commit()?.refused).toMatchObject([{ number: 2 }]);
  });
});

type Step =
  | readonly ['take', names: number]
  | readonly ['commit']
  | readonly ['fail', after: number]
  | readonly ['heal'];
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('take' as const), fc.integer({ min: 0, max: 3 })) },
  { weight: 2, arbitrary: fc.constant(['commit'] as const) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('fail' as const), fc.integer({ min: 0, max: 4 })) },
  { weight: 1, arbitrary: fc.constant(['heal'] as const) },
);

test('after any order of entries, commits and failures the file has exactly the entries through the one it names', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      database.db.exec("DELETE FROM cursor WHERE name <> 'identity'");
      transaction = new OpenTransaction(database.db, failing);
      taken = Number.POSITIVE_INFINITY;
      const names: string[][] = [];
      const attempt = (work: () => void): void => {
        try {
          work();
        } catch (error) {
          expect(error).toBeInstanceOf(StorageFailure);
        }
        const through = lastAppliedOf(database.statement);
        if (!database.db.isTransaction) expect(committed()).toEqual(names.slice(0, through).flat());
      };
      for (const [kind, n = 0] of steps) {
        if (kind === 'fail') taken = n;
        else if (kind === 'heal') taken = Number.POSITIVE_INFINITY;
        else if (kind === 'commit') attempt(() => transaction.commit());
        else {
          const number = names.length + 1;
          names.push(Array.from({ length: n }, (_, i) => `${number}-${i}`));
          attempt(() => transaction.take([entry(number, ...(names.at(-1) ?? []))]));
        }
      }
      taken = Number.POSITIVE_INFINITY;
      attempt(() => transaction.commit());
      expect(lastAppliedOf(database.statement)).toBe(names.length);
      if (database.db.isTransaction) database.db.exec('ROLLBACK');
    }),
    { numRuns: 25 },
  );
});
