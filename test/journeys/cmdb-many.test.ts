import { describe, expect, test } from '@jest/globals';
import { isThere, testWith } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';
import { STYLES, speaking } from './cmdb-styles.ts';

const app = appOfTests();

const CSV = { 'content-type': 'text/csv' };
const DAY = 86_400_000;

describe.each(STYLES)('Many CIs under %s', (_, style) => {
  const bag = style.id === 'id' ? 'custom_fields' : 'customFields';
  const open = async () => {
    const spoken = await speaking(app, style);
    const names = async (query: string): Promise<string[]> => {
      const { status, data, body } = await spoken.send('GET', `/cmdb/ci?${query}`);
      expect([query, status]).toEqual([query, 200]);
      return (Array.isArray(data) ? data : body.data).map(({ name }: { name: string }) => name);
    };
    return { ...spoken, names };
  };
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
  const listOf = ({ data, body }: any) => (Array.isArray(data) ? data : body.data);

  test('are listed by key, field, address and every name', async () => {
    const { send, ci, names } = await open();
    await ci('web-1', {
      external_key: 'H-3',
      attributes: { os: 'linux', note: 'a,b:c', cpus: 8, ip_address: '10.1.0.20' },
    });
    await ci('web-2', { attributes: { os: 'linux', fqdn: 'front.example.net' }, [bag]: { department: 'Shop' } });
    for (const [query, expected] of [
      ['external_key=h-3', ['web-1']],
      ['external_key=h-4', []],
      ['attribute=os:linux', ['web-1', 'web-2']],
      ['attribute=os:linux,cpus:8', ['web-1']],
      [`attribute=note:${encodeURIComponent('a\\,b:c')}`, ['web-1']],
      ['custom_field=department:Shop', ['web-2']],
      ['custom_field=department:Shop&attribute=os:bsd', []],
      ['address=::ffff:10.1.0.20', ['web-1']],
      ['search=10.1.0.2', ['web-1']],
      ['search=FRONT.example', ['web-2']],
      ['search=h-3', ['web-1']],
    ] as const)
      expect([query, await names(query)]).toEqual([query, expected]);
    for (const wrong of ['attribute=os', 'attribute=:x', 'address=300.1.1.1', 'not_seen_for=soon', 'not_seen_for=0d'])
      expect([wrong, (await send('GET', `/cmdb/ci?${wrong}`)).status]).toEqual([wrong, 400]);
    if (!isThere('cmdb.export-ci')) return;
    const file = await send('GET', `${style.prefix}/cmdb/export/ci?format=jsonl&attribute=cpus:8`);
    expect(
      file.body
        .trim()
        .split('\n')
        .map((line: string) => JSON.parse(line).name),
    ).toEqual(['web-1']);
  });

  testWith('discovery.submit-scan')('were seen by scans and imports, also when these change nothing', async () => {
    const { send, ci, names } = await open();
    await ci('by-hand');
    await send('POST', '/cmdb/import/ci', 'name,type\nimported,server\n' as never, CSV);
    const scan = (timestamp: number, hostname: string) =>
      send('POST', '/api/discovery/scan-data', {
        scan_type: 'network',
        scanner_id: 's',
        timestamp: new Date(timestamp).toISOString(),
        data: { discovered_hosts: [{ hostname }] },
      });
    const now = app.clock.now();
    await scan(now - 40 * DAY, 'scanned');
    await until(async () => (await names('not_seen_for=30d')).length === 1);
    expect(await names('not_seen_for=30d')).toEqual(['scanned']);
    expect(await names('never_seen=true')).toEqual(['by-hand']);
    const [shown] = listOf(await send('GET', '/cmdb/ci?search=scanned'));
    expect(shown.last_seen).toBe(new Date(now - 40 * DAY).toISOString());
    expect((await send('GET', `/cmdb/ci/${shown[style.id]}`)).data.last_seen).toBe(shown.last_seen);
    await scan(now, 'scanned');
    await until(async () => (await names('not_seen_for=30d')).length === 0);
    const from = encodeURIComponent(new Date(now - 1_000).toISOString());
    expect(await names(`last_seen_from=${from}`)).toEqual(['imported', 'scanned']);
    const history = await send('GET', `/cmdb/ci/${shown[style.id]}/history`);
    expect(listOf(history)).toHaveLength(1);
  });

  test('are changed at once, each by itself, and a dry run changes nothing', async () => {
    const { send, ci } = await open();
    const ids = [await ci('a', { attributes: { rack: 1 } }), await ci('b'), await ci('c', { status: 'inactive' })];
    const bulk = (body: object) => send('POST', '/cmdb/ci/bulk', body);
    const set = { status: 'inactive', attributes: { rack: null } };
    const dry = await bulk({ ids: [...ids, 'nobody'], action: 'update', set, dry_run: true });
    expect(dry.data).toMatchObject({ dry_run: true, matched: 4, updated: 2, unchanged: 1, failed: 1 });
    expect((await send('GET', `/cmdb/ci/${ids[0]}`)).data.status).toBe('active');
    const { data } = await bulk({ ids, action: 'update', set });
    expect([data.updated, data.unchanged, data.failed]).toEqual([2, 1, 0]);
    expect((await send('GET', `/cmdb/ci/${ids[0]}`)).data).toMatchObject({ status: 'inactive', attributes: {} });
    const audit = await send('GET', '/api/admin/audit?action=ci.updated');
    expect(audit.body.data).toHaveLength(2);
    for (const wrong of [
      { action: 'update', set },
      { ids, filter: { status: ['active'] }, action: 'update', set },
      { ids, action: 'update' },
      { ids, action: 'delete', set },
      { filter: { status: ['inactive'] }, action: 'delete' },
      { filter: {}, expect: 0, action: 'delete' },
      { ids: Array.from({ length: 1_001 }, (_, i) => `${i}`), action: 'delete' },
    ])
      expect((await bulk(wrong)).status).toBe(400);
  });

  test('are deleted by a filter that finds as many as expected', async () => {
    const { send, ci, join, names } = await open();
    const [a, b] = [
      await ci('gone-a', { attributes: { site: 'old' } }),
      await ci('gone-b', { attributes: { site: 'old' } }),
    ];
    await join(a, await ci('stays'));
    const bulk = (body: object) =>
      send('POST', '/cmdb/ci/bulk', { filter: { attributes: { site: 'old' } }, action: 'delete', ...body });
    const refused = await bulk({ expect: 1 });
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      expect.stringContaining('Filter matches 2 CIs'),
    ]);
    const dry = await bulk({ dry_run: true });
    expect(dry.data).toMatchObject({ matched: 2, deleted: 1, failed: 1 });
    const some = await bulk({ expect: 2 });
    expect(some.data.rows.map(({ id, action }: { id: string; action: string }) => [id, action])).toEqual([
      [a, 'failed'],
      [b, 'deleted'],
    ]);
    expect((await bulk({ expect: 1, cascade: true })).data).toMatchObject({ deleted: 1, failed: 0 });
    expect(await names('')).toEqual(['stays']);
    const audit = await send('GET', '/api/admin/audit?action=ci.deleted');
    expect(audit.body.data).toHaveLength(2);
  });
});
