import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditRecord } from '#domain/access/records.ts';
import type { Page } from '#domain/page.ts';
import { adminEndpoint, BOOTSTRAP_TOKEN, jwtOf, userOf } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';
import type { AuditFilter } from './list-audit.ts';

const world = accessOfTests('all');
const times: number[] = [];
beforeAll(async () => {
  const boss = await jwtOf(world, 'default', await userOf(world, 'default', 'boss', 'admin'));
  for (let i = 0; i < 6; i += 1) {
    world.clock.advance(1_000);
    times.push(world.clock.now());
    const by = i % 2 === 0 ? BOOTSTRAP_TOKEN : boss;
    const limit = i === 4 ? 'admin.settings.correlation.put' : 'admin.limits.put';
    await world.call(by, adminEndpoint(limit), i === 4 ? { profile: 'specified' } : { ingest: 100 + i });
  }
});

const list = async (filter: Partial<AuditFilter> = {}, tenant?: string): Promise<Page<AuditRecord>> => {
  const answer = await world.call<{ found: Page<AuditRecord> }>(
    BOOTSTRAP_TOKEN,
    adminEndpoint('admin.audit.list'),
    { limit: 50, ...filter },
    tenant,
  );
  return answer.found;
};
const rounds = async (filter: Partial<AuditFilter>) => (await list(filter)).items.map(({ at }) => times.indexOf(at));

describe('the audit', () => {
  test('says who changed what, from what to what', async () => {
    const [newest] = (await list({ limit: 1 })).items;
    expect(newest).toMatchObject({
      at: times[5],
      actor: { username: 'boss' },
      action: 'limits.updated',
      target: { kind: 'limits', id: 'tenant' },
      before: { ingest: 103 },
      after: { ingest: 105 },
      address: '192.0.2.1',
    });
  });

  test.each<[Partial<AuditFilter>, number[]]>([
    [{}, [5, 4, 3, 2, 1, 0]],
    [{ actor: 'boss' }, [5, 3, 1]],
    [{ actor: 'bootstrap', action: 'limits.updated' }, [2, 0]],
    [{ action: 'settings.correlation.updated' }, [4]],
    [{ target: 'settings' }, [4]],
    [{ target: 'settings/correlation' }, [4]],
    [{ target: 'nothing' }, []],
  ])('%p', async (filter, expected) => expect(await rounds(filter)).toEqual(expected));

  test('from and to are inclusive', async () => {
    expect(await rounds({ from: times[2]!, to: times[4]! })).toEqual([4, 3, 2]);
    expect(await rounds({ from: times[2]! + 1, to: times[4]! - 1 })).toEqual([3]);
  });

  test('the cursor goes on until the end', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const found = await list({ limit: 2, actor: 'boss', ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...found.items.map(({ at }) => times.indexOf(at)));
      if (found.nextCursor === null) break;
      cursor = found.nextCursor;
    }
    expect(seen).toEqual([5, 3, 1]);
  });

  test('another tenant has its own', async () => {
    await world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.tenants.create'), { id: 'other' });
    expect((await list({}, 'other')).items).toEqual([]);
  });
});
