import { expect, test } from '@jest/globals';
import type { Neo4jClient, Run } from '#infra/neo4j/client/client.ts';
import { forgetVersions } from './forget.ts';

test('a call ends, however many versions are old', async () => {
  const run = (async () => [{ forgotten: 1_000 }]) as unknown as Run;
  const client = { write: (work: (run: Run) => Promise<unknown>) => work(run) } as unknown as Neo4jClient;
  expect(await forgetVersions(client, 0)).toBe(400_000);
});
