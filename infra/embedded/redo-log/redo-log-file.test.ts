import { existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { openRedoLogFile, type RedoLogFile, readRedoLog, removeRedoLog, setRedoLogAside } from './redo-log-file.ts';

/** Identity of the database that the log is of. */
const OWN = 0x1234_5678_9abc;
const OTHER = OWN + 1;
const HEAD = 30;
let directory: ReturnType<typeof temporaryDirectory>;
let file: string;
beforeEach(() => {
  directory = temporaryDirectory();
  file = join(directory.path, 'faultline.redo');
});
afterEach(() => directory.remove());
const stored = (after = 0) =>
  readRedoLog(directory.path, OWN, after).entries.map(({ number, content }) => [
    number,
    Buffer.from(content).toString(),
  ]);

const failureOf = (log: RedoLogFile): unknown => {
  try {
    return log.append([Buffer.from('a')]);
  } catch (error) {
    return error;
  }
};

test('what was appended is read again, in order and after a number', () => {
  const log = openRedoLogFile(directory.path, OWN, 4);
  expect([log.append([Buffer.from('a')]), log.append([Buffer.from('b'), Buffer.from('c')])]).toEqual([5, 6]);
  expect([stored(4), stored(6)]).toEqual([
    [
      [5, 'a'],
      [6, 'b'],
      [7, 'c'],
    ],
    [[7, 'c']],
  ]);
  log.close();
});

test('ends before a torn entry, and before one whose bytes are not those that were written', () => {
  const log = openRedoLogFile(directory.path, OWN, 0);
  log.append([Buffer.from('first'), Buffer.from('second')]);
  log.close();
  const whole = readFileSync(file);
  for (let length = whole.length - 1; length >= HEAD + 5; length -= 7) {
    truncateSync(file, length);
    expect(stored()).toEqual([[1, 'first']]);
  }
  for (let at = 0; at < HEAD + 5; at++) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1;
    writeFileSync(file, damaged);
    const { entries, damage } = readRedoLog(directory.path, OWN, 0);
    expect([entries, damage]).toEqual([[], { lost: 1, behind: [2, 2] }]);
  }
});

test('a file that cannot be written is a store that failed', () => {
  expect(() => openRedoLogFile(join(directory.path, 'nowhere'), OWN, 0)).toThrow('ENOENT');
  const log = openRedoLogFile(directory.path, OWN, 0);
  log.close();
  expect(isStorageFailure(failureOf(log))).toBe(true);
  removeRedoLog(directory.path);
  expect([existsSync(file), stored()]).toEqual([false, []]);
});

test('a file that was deleted takes nothing more', () => {
  const log = openRedoLogFile(directory.path, OWN, 0);
  log.append([Buffer.from('kept')]);
  removeRedoLog(directory.path);
  expect(isStorageFailure(failureOf(log))).toBe(true);
  log.close();
});

const TURN = 1_000;
const LARGE = Buffer.alloc(TURN);
/** State of the files when the database is slow: the first is large and not free, so the other is used. */
const inBothFiles = () => {
  const log = openRedoLogFile(directory.path, OWN, 0, TURN);
  log.append([LARGE]);
  log.append([Buffer.from('2'), Buffer.from('3')]);
  return log;
};
const numbers = (after = 0) => readRedoLog(directory.path, OWN, after).entries.map(({ number }) => number);

test('a large file is left for the other one, and both are read', () => {
  const log = inBothFiles();
  expect([numbers(), stored(1), readFileSync(`${file}2`).length]).toEqual([
    [1, 2, 3],
    [
      [2, '2'],
      [3, '3'],
    ],
    2 * (HEAD + 1),
  ]);
  log.release(1);
  log.append([LARGE]);
  expect([numbers(1), readFileSync(`${file}2`).length]).toEqual([[2, 3, 4], 2 * (HEAD + 1) + HEAD + TURN]);
  log.append([Buffer.from('5')]);
  expect(numbers(1)).toEqual([2, 3, 4, 5]);
  log.release(4);
  log.append([Buffer.from('6')]);
  expect(numbers(4)).toEqual([5, 6]);
  log.close();
});

test('what stands behind a gap is not made, and told', () => {
  const log = inBothFiles();
  log.release(1);
  log.append([LARGE]);
  log.append([Buffer.from('5')]);
  log.close();
  expect(numbers(1)).toEqual([2, 3, 4, 5]);
  truncateSync(`${file}2`, 2 * (HEAD + 1) - 1);
  expect(numbers(1)).toEqual([2]);
  // Its number would follow, but another file shows that something is missing.
  expect(readRedoLog(directory.path, OWN, 1).damage).toEqual({ lost: 3, behind: [5, 5] });
});

test('whatever is appended and in whichever runs: what no commit has released is there, once, whole and in order', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 3 }) },
    { weight: 2, arbitrary: fc.constantFrom('release' as const, 'release half' as const) },
    { weight: 1, arbitrary: fc.constantFrom('reopen' as const, 'large' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      removeRedoLog(directory.path);
      let log = openRedoLogFile(directory.path, OWN, 0, TURN);
      let [last, released] = [0, 0];
      for (const each of steps) {
        if (each === 'reopen') {
          log.close();
          released = last;
          log = openRedoLogFile(directory.path, OWN, last, TURN);
        } else if (each === 'release' || each === 'release half') {
          released = each === 'release' ? last : released + Math.floor((last - released) / 2);
          log.release(released);
        } else {
          const sizes = each === 'large' ? [TURN] : each;
          expect(log.append(sizes.map((size) => Buffer.alloc(size, last % 7)))).toBe(last + 1);
          last += sizes.length;
        }
        expect(numbers(released)).toEqual(Array.from({ length: last - released }, (_, n) => released + n + 1));
      }
      log.close();
    }),
  );
});

test('a bit that changed in the middle: what is before it counts, what is behind it is told, and the files are kept', () => {
  const log = openRedoLogFile(directory.path, OWN, 10);
  for (let n = 0; n < 40; n++) log.append([Buffer.from(`entry ${n}`)]);
  log.close();
  const bytes = readFileSync(file);
  bytes[5 * (HEAD + 7) + HEAD + 1]! ^= 4;
  writeFileSync(file, bytes);
  const { entries, damage } = readRedoLog(directory.path, OWN, 10);
  expect(entries.map(({ number }) => number)).toEqual([11, 12, 13, 14, 15]);
  expect(damage).toEqual({ lost: 16, behind: [17, 50] });
  const told: unknown[] = [];
  setRedoLogAside(directory.path, { ...damage!, copy: 1 }, (names) => told.push(names, existsSync(file)));
  expect(told).toEqual([['faultline.redo.16.damaged', 'faultline.redo2.16.damaged'], true]);
  expect([existsSync(file), readFileSync(`${file}.16.damaged`).equals(bytes)]).toEqual([false, true]);
});

test('a log that begins behind the next number is of another database', () => {
  const log = openRedoLogFile(directory.path, OWN, 90);
  log.append([Buffer.from('91')]);
  log.close();
  expect(stored(90)).toEqual([[91, '91']]);
  expect(() => readRedoLog(directory.path, OWN, 55)).toThrow(
    'begins with batch 91, but faultline.db ends with batch 55',
  );
});

test.each([
  ['the next number', 90],
  ['a later number', 40],
  ['a number that the database has', 95],
])('a log with another identity is refused when it begins with %s', (_, after) => {
  const log = openRedoLogFile(directory.path, OTHER, 90);
  log.append([Buffer.from('91')]);
  log.close();
  const left = readFileSync(file);
  for (const identity of [OWN, null])
    expect(() => readRedoLog(directory.path, identity, after)).toThrow(
      `The redo log in ${directory.path} belongs to a different database than faultline.db, for example because one of them was copied from another server. Restore the files of one server, or move faultline.redo and faultline.redo2 away to start without the changes stored only in them.`,
    );
  expect(readFileSync(file).equals(left)).toBe(true);
  expect(readRedoLog(directory.path, OTHER, 90).entries).toHaveLength(1);
});

test('one file of another database beside one of this is refused', () => {
  const other = openRedoLogFile(directory.path, OTHER, 1);
  other.append([Buffer.from('2')]);
  other.close();
  renameSync(file, `${file}2`);
  const log = openRedoLogFile(directory.path, OWN, 0);
  log.append([Buffer.from('1')]);
  log.close();
  expect(() => stored()).toThrow('to a different database');
});

test('what a write that failed has left does not come back behind an entry of the same length', () => {
  const log = openRedoLogFile(directory.path, OWN, 0);
  log.append([Buffer.from('1'), Buffer.from('2'), Buffer.from('3')]);
  log.close();
  // State as if the process had been killed before the database had any: all of them are made, and the log continues
  // behind.
  const left = readFileSync(file);
  const again = openRedoLogFile(directory.path, OWN, 0);
  again.append([Buffer.from('a')]);
  again.close();
  expect(
    readFileSync(file)
      .subarray(HEAD + 1)
      .equals(left.subarray(HEAD + 1)),
  ).toBe(true);
  const { entries, damage } = readRedoLog(directory.path, OWN, 0);
  expect([entries.map(({ number }) => number), damage]).toEqual([[1], null]);
});
