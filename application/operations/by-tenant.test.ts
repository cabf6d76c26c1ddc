import { expect, test } from '@jest/globals';
import { byTenant } from './by-tenant.ts';

const batch = (tenants: number, each = 1) =>
  Array.from({ length: tenants * each }, (_, n) => ({ tenant: `t-${n % tenants}`, n }));

test('every tenant gets its own entries in their order, eight at once', async () => {
  const seen = new Map<string, number[]>();
  let [running, most] = [0, 0];
  await byTenant(batch(20, 3), async (tenant, own) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    seen.set(
      tenant,
      own.map(({ n }) => n),
    );
  });
  expect(most).toBe(8);
  expect(seen.size).toBe(20);
  expect(seen.get('t-3')).toEqual([3, 23, 43]);
});

test('a failure is thrown once those that had begun have ended, and nothing begins after it', async () => {
  const ended: string[] = [];
  const failing = byTenant(batch(20), async (tenant) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (tenant === 't-0') throw new Error('no');
    await new Promise((resolve) => setImmediate(resolve));
    ended.push(tenant);
  });
  await expect(failing).rejects.toThrow('no');
  expect(ended).toEqual(['t-1', 't-2', 't-3', 't-4', 't-5', 't-6', 't-7']);
});
