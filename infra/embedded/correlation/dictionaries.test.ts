import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Database, openDatabase } from '#infra/embedded/redo-log/database.ts';
import { sampleEnriched } from '#test/contract/samples.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { CiDictionary } from './ci-dictionary.ts';
import { SettingsDictionary } from './enriched-table.ts';

let directory: ReturnType<typeof temporaryDirectory>;
let database: Database;
beforeEach(() => {
  directory = temporaryDirectory();
  database = openDatabase(directory.path);
});
afterEach(async () => {
  await database.endWriter();
  database.close();
  directory.remove();
});
/** Runs `work` as a batch and waits until it is in the file. */
const batch = async <T>(work: () => T): Promise<T> => {
  let result: T | undefined;
  await database.submit(() => {
    result = work();
  });
  await database.applied();
  return result as T;
};
/** Runs `work` as a batch that throws in the end. */
const discarded = async (work: () => unknown): Promise<void> => {
  const submitted = async () =>
    database.submit(() => {
      work();
      throw new Error('no');
    });
  await expect(submitted).rejects.toThrow('no');
};
const rowsOf = (table: string): unknown => database.arrays(`SELECT count(*) FROM ${table}`).get();

describe('Numbers of CI ids', () => {
  test('are the same at each use, in further batches and for another reader', async () => {
    const names = new CiDictionary(database);
    const first = await batch(() => ['a', 'b', 'a'].map((id) => names.numberOf(id)));
    expect(first[0]).toBe(first[2]);
    expect(await batch(() => ['c', 'b'].map((id) => names.numberOf(id)))).toEqual([expect.any(Number), first[1]]);
    const other = new CiDictionary(database);
    expect(first.map((n) => other.idOf(n))).toEqual(['a', 'b', 'a']);
    expect(await batch(() => other.numberOf('b'))).toBe(first[1]);
    expect(rowsOf('ci_name')).toEqual([3]);
  });

  test('of a batch that is lost are given anew', async () => {
    const names = new CiDictionary(database);
    await batch(() => names.numberOf('a'));
    await discarded(() => names.numberOf('lost'));
    names.forget();
    const n = await batch(() => names.numberOf('next'));
    expect(new CiDictionary(database).idOf(n)).toBe('next');
    expect(rowsOf('ci_name')).toEqual([2]);
  });

  test('of nodes are those of their ids, also when the graph has grown', async () => {
    const names = new CiDictionary(database);
    const ids = ['x', 'y'];
    const before = await batch(() => names.numbersOf(ids, [1, 0, 1]));
    ids.push('z', 'w');
    const after = await batch(() => names.numbersOf(ids, [0, 1, 3, 2]));
    expect([...before, ...after].map((n) => names.idOf(n))).toEqual(['y', 'x', 'y', 'x', 'y', 'w', 'z']);
    expect(after.slice(0, 2)).toEqual([before[1], before[0]]);
  });

  test('any ids come back, however they were asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 8 }), { maxLength: 5 }),
        async (batches) => {
          let names = new CiDictionary(database);
          for (const ids of batches) {
            const numbers = await batch(() => ids.map((id) => names.numberOf(id)));
            expect(numbers.map((n) => names.idOf(n))).toEqual(ids);
            names = new CiDictionary(database);
            expect(numbers.map((n) => names.idOf(n))).toEqual(ids);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('Settings of arrivals', () => {
  const { settings } = sampleEnriched(1);
  const other = { ...settings, threshold: settings.threshold + 0.125 };

  test('are stored once for each content, whichever object has it', async () => {
    const table = new SettingsDictionary(database);
    const [a, b, c] = await batch(() => [settings, structuredClone(settings), other].map((one) => table.put(one)));
    expect([a === b, a === c]).toEqual([true, false]);
    expect(await batch(() => new SettingsDictionary(database).put(structuredClone(other)))).toBe(c);
    expect(rowsOf('settings_snapshot')).toEqual([2]);
    expect(new SettingsDictionary(database).get(Number(c))).toEqual(other);
  });

  test('of a batch that is lost are stored by the next one', async () => {
    const table = new SettingsDictionary(database);
    await discarded(() => table.put(settings));
    table.forget();
    const id = await batch(() => table.put(settings));
    expect(new SettingsDictionary(database).get(id)).toEqual(settings);
  });
});
