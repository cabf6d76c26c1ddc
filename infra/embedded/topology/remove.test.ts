import { expect, test } from '@jest/globals';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { forgetVersions } from './remove.ts';

test('a call ends, however many versions are old', async () => {
  const database = {
    exclusive: async (work: () => number) => work(),
    transaction: (work: () => number) => work(),
    write: () => 500,
  } as unknown as Database;
  expect(await forgetVersions(database, 0)).toBe(400_000);
});
