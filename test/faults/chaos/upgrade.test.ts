import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { seeded } from '#test/setup/seeded.ts';
import type { Cluster } from './cluster.ts';
import { FAULTS, UPGRADE } from './faults.ts';
import type { Member } from './member.ts';
import { readOptions } from './options.ts';
import { CURRENT, openProgram } from './program.ts';

let folder: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  folder = temporaryDirectory();
});
afterEach(() => folder.remove());

test('an upgrade begins with a commit or a folder', () => {
  expect([readOptions([]).upgradeFrom, readOptions(['--upgrade-from', 'v1']).upgradeFrom]).toEqual([null, 'v1']);
  const own = join(folder.path, 'own');
  mkdirSync(own);
  expect(() => openProgram(own, () => undefined)).toThrow('no main.ts');
  writeFileSync(join(own, 'main.ts'), '');
  const program = openProgram(own, () => undefined);
  program.remove();
  expect([program.folder, existsSync(own)]).toEqual([own, true]);
  expect(() => openProgram('no-such-commit', () => undefined)).toThrow('neither a folder nor a commit');
});

test('one process at a time is stopped and started with the current program, workers first', async () => {
  const told: string[] = [];
  const members = ['worker-1', 'worker-2', 'api-1', 'api-2'].map((name) => {
    const member = {
      name,
      folder: '/older',
      stop: async () => void told.push(`stop ${name}`),
      start: async () => void told.push(`start ${name} ${member.folder === CURRENT ? 'current' : 'older'}`),
    };
    return member as unknown as Member;
  });
  const program = { folder: '/older' };
  const cluster = { workers: members.slice(0, 2), apis: members.slice(2), program } as unknown as Cluster;
  const random = Object.assign(seeded(1), { between: () => 0 });
  await FAULTS[UPGRADE]!(cluster, random, null);
  expect(told).toEqual(
    ['worker-1', 'worker-2', 'api-1', 'api-2'].flatMap((name) => [`stop ${name}`, `start ${name} current`]),
  );
  expect(program.folder).toBe(CURRENT);
});
