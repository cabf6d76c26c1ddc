import { expect, test } from '@jest/globals';
import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import type { Review } from '#features/discovery/use-cases/review-records.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const review = (id: string, status: Review['status'], createdAt: number): Review => ({
  id,
  status,
  scannerId: 's',
  scanId: 'scan',
  seenAt: createdAt,
  host: { hostname: id },
  by: 'hostname',
  reason: 'two have it',
  candidates: [],
  createdAt,
  updatedAt: createdAt,
  resolution: null,
});

test('an open review is found behind more than 10,000 that are settled', async () => {
  const token = await app.tenant('many');
  const { records } = app.app.ports;
  const put = (one: Review) => records.put('many', DISCOVERY_KINDS.review, one.id, one);
  const many = Array.from({ length: 11_000 }, (_, n) => review(`a${String(n).padStart(25, '0')}`, 'dismissed', n));
  await Promise.all([...many, review('z'.repeat(26), 'open', 1)].map(put));
  const list = async (query: string) =>
    (await app.send('GET', `/v1/discovery/reviews?${query}`, undefined, { token })).body;
  expect(await list('status=open')).toMatchObject({ data: [{ id: 'z'.repeat(26) }], pagination: { total: 1 } });
  const last = await list('status=all&page=100&limit=100');
  expect(last.pagination.total).toBe(11_001);
  const beyond = await list(`status=all&limit=100&cursor=${last.pagination.nextCursor}`);
  expect(beyond.data[0]).toMatchObject({ id: many[999]!.id });
});
