import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from './planted.ts';
import { wallClockExpectations } from './wall-clock.ts';

const files = globSync('**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules', 'console/dist*'] });

test('no test expects how long something takes on the wall: another program makes it red', () => {
  expect(files.length).toBeGreaterThan(500);
  const found = files.filter((file) => wallClockExpectations(readFileSync(join(ROOT, file), 'utf8')) > 0);
  expect(found).toEqual([]);
});

const BEGAN = 'const began = performance.now(); await work();';
test.each([
  `${BEGAN} expect(performance.now() - began).toBeLessThan(500);`,
  `${BEGAN} const ms = performance.now() - began; expect(Math.round(ms / 1_000)).toBeLessThanOrEqual(6);`,
  `${BEGAN} const took = Date.now() - began; expect([took <= 5]).toEqual([true]);`,
  'const took = async (work) => { const at = performance.now(); await work; return performance.now() - at; }; const ms = await took(x); expect(ms).toBeLessThan(9);',
  'async function run() { const at = process.hrtime.bigint(); return { ns: process.hrtime.bigint() - at }; } expect((await run()).ns).toBe(1);',
  'const [n, at] = [0, Date.now()]; const all = []; all.push(Date.now() - at); expect(Math.max(...all)).toBeLessThan(n);',
  'let ms = 0; const at = systemClock.steady(); ms = systemClock.steady() - at; expect(ms).toBeGreaterThan(1);',
])('refused: %s', (text) => expect(wallClockExpectations(text)).toBe(1));

test.each([
  `${BEGAN} tell(performance.now() - began); expect(done).toBe(true);`,
  'const before = Date.now(); expect(clock.now()).toBeGreaterThanOrEqual(before);',
  'const at = Date.now() - 3_600_000; expect(event.timestamp).toBe(at);',
  'const [n, at] = [0, Date.now()]; const ms = Date.now() - at; tell(ms); expect(n).toBe(0); expect(reply.ms).toBe(0);',
  'const { most } = await page.evaluate(async () => { const at = performance.now(); times.push(performance.now() - at); return rows; }); expect(most).toBe(1);',
  'const before = clock.now(); clock.advance(5); expect(clock.now() - before).toBe(5);',
])('not refused: %s', (text) => expect(wallClockExpectations(text)).toBe(0));
