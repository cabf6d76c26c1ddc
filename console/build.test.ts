import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { place } from './build.ts';

let folder: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  folder = temporaryDirectory();
});
afterEach(() => folder.remove());

const built = (name: string): string => {
  const path = join(folder.path, name);
  mkdirSync(path);
  writeFileSync(join(path, 'stamp.txt'), name);
  return path;
};
const dist = () => join(folder.path, 'dist');
const placed = () => readFileSync(join(dist(), 'stamp.txt'), 'utf8');

test.each([false, true])('a build takes its place, also of one that is old (%s)', (isOld) => {
  if (isOld) built('dist');
  place(built('dist-1'), dist(), () => false);
  expect([placed(), readdirSync(folder.path)]).toEqual(['dist-1', ['dist']]);
});

test('one that another start was faster with gives way to it', () => {
  place(built('dist-1'), dist(), () => false);
  const isFresh = () => existsSync(dist());
  place(built('dist-2'), dist(), isFresh);
  expect([placed(), readdirSync(folder.path)]).toEqual(['dist-1', ['dist']]);
});
