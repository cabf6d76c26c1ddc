import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { type FilePart, partsOf } from './file-parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'faultline-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = Array.from({ length: 5 }, (_, n) => `host-${n},server`);

test.each([
  ['csv', '\uFEFFname,type\r\n', ROWS.join('\r\n'), 'name,type\n'],
  ['csv', 'name,type\n', `${ROWS.join('\n')}\n`, 'name,type\n'],
  ['jsonl', '', ROWS.join('\n'), ''],
] as const)('the parts of a file have its rows, and together its bytes (%s)', async (format, head, rows, header) => {
  const file = join(folder, `rows.${format}`);
  writeFileSync(file, head + rows);
  const parts: FilePart[] = [];
  for await (const part of partsOf(file, format, 2)) parts.push(part);
  expect(parts.map(({ text }) => text)).toEqual([
    `${header}${ROWS[0]}\n${ROWS[1]}\n`,
    `${header}${ROWS[2]}\n${ROWS[3]}\n`,
    `${header}${ROWS[4]}\n`,
  ]);
  expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(statSync(file).size);
});

test('a file that is not UTF-8 is refused before anything is sent', async () => {
  const file = join(folder, 'latin.csv');
  writeFileSync(file, Buffer.from('name,type\nK\u00f6ln,server\n', 'latin1'));
  await expect(partsOf(file, 'csv', 2).next()).rejects.toThrow(/latin.csv can't be read: .*utf-8/);
});
