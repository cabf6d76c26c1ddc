import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { openRedoLog, readRedoLog, removeRedoLog } from './redo-log.ts';
import { isStorageFailure } from './storage-failure.ts';

let directory: ReturnType<typeof temporaryDirectory>;
let file: string;
beforeEach(() => {
  directory = temporaryDirectory();
  file = join(directory.path, 'faultline.redo');
});
afterEach(() => directory.remove());
const stored = (after = 0) =>
  readRedoLog(directory.path, after).map(({ number, content }) => [number, Buffer.from(content).toString()]);

test('what was appended is read again, in order and after a number', () => {
  const log = openRedoLog(directory.path, 4);
  expect(['a', 'b', 'c'].map((text) => log.append(Buffer.from(text)))).toEqual([5, 6, 7]);
  expect([stored(), stored(6)]).toEqual([
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
  const log = openRedoLog(directory.path, 0);
  for (const text of ['first', 'second']) log.append(Buffer.from(text));
  log.close();
  const whole = readFileSync(file);
  for (let length = whole.length - 1; length >= 25; length -= 7) {
    truncateSync(file, length);
    expect(stored()).toEqual([[1, 'first']]);
  }
  for (let at = 0; at < 25; at++) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1;
    writeFileSync(file, damaged);
    expect(stored()).toEqual([]);
  }
});

test('a file that cannot be written is a store that failed', () => {
  expect(() => openRedoLog(join(directory.path, 'nowhere'), 0)).toThrow('ENOENT');
  const log = openRedoLog(directory.path, 0);
  log.close();
  let error: unknown;
  try {
    log.append(Buffer.from('a'));
  } catch (thrown) {
    error = thrown;
  }
  expect(isStorageFailure(error)).toBe(true);
  removeRedoLog(directory.path);
  expect([existsSync(file), stored()]).toEqual([false, []]);
});

test('whatever is appended and in whichever runs: what no restart has released is there, once, whole and in order', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 300 }) },
    { weight: 1, arbitrary: fc.constantFrom('restart' as const, 'reopen' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      removeRedoLog(directory.path);
      let log = openRedoLog(directory.path, 0);
      let [last, released] = [0, 0];
      for (const each of steps) {
        if (typeof each === 'number') expect(log.append(Buffer.alloc(each, last % 7))).toBe(++last);
        else {
          released = last;
          if (each === 'restart') log.restart();
          else {
            log.close();
            log = openRedoLog(directory.path, last);
          }
        }
        const found = readRedoLog(directory.path, released);
        expect(found.map(({ number }) => number)).toEqual(
          Array.from({ length: last - released }, (_, n) => released + n + 1),
        );
      }
      log.close();
    }),
  );
});
