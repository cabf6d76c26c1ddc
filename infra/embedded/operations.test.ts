import { expect, test } from '@jest/globals';
import { pipeline } from '#processors/pipeline.ts';
import { operationsContract } from '#test/contract/operations.ts';
import { diskFull, occurs, openRunner } from '#test/setup/runner-kit.ts';
import { openOperations } from './operations.ts';

operationsContract('SQLite', pipeline, async () => {
  const kit = await openRunner();
  return { store: openOperations(kit.runner), close: () => kit.close() };
});

test('a file that takes no writes is trouble of every processor, until it does again', async () => {
  const kit = await openRunner();
  const operations = openOperations(kit.runner);
  const full = (): void => {
    throw diskFull();
  };
  Object.assign(kit.faults, { commit: full, probe: full });
  await expect(kit.runner.submit('t', [occurs({ id: '1' })], 60_000)).rejects.toMatchObject({ kind: 'unavailable' });
  for (const { trouble, lastError } of await operations.pipeline()) {
    expect(trouble).toEqual({ kind: 'failing', detail: 'failed: database or disk is full' });
    expect(lastError?.message).toBe('database or disk is full');
  }
  Object.assign(kit.faults, { commit: undefined, probe: undefined });
  while (kit.runner.status.state !== 'running') await new Promise((resolve) => setTimeout(resolve, 1));
  expect((await operations.pipeline()).map(({ trouble }) => trouble)).toEqual(pipeline.map(() => null));
  await kit.close();
});

test('a record is gone from its topic when its batch is over', async () => {
  const kit = await openRunner();
  const operations = openOperations(kit.runner);
  await kit.runner.submit('t', [occurs({ id: '1' }), occurs({ id: '2', hostname: 'other' })], 60_000);
  for (const { storage, partitions } of await operations.topics())
    expect([storage, partitions]).toEqual(['memory', [{ partition: 0, first: 3, end: 3 }]]);
  await kit.close();
});
