import { describe, expect, test } from '@jest/globals';
import { STYLES, type Style, speaking } from '#test/journeys/cmdb-styles.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const TYPES = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;
const LINKS = {
  csv: 'type,source_ci,target_ci,attributes.port\ndepends_on,a,b,443\nuses,b,c,\nuses,b,nobody,\n',
  jsonl: [
    { type: 'depends_on', source_ci: 'a', target_ci: 'b', attributes: { port: 443 } },
    { type: 'uses', source_ci: 'b', target_ci: 'c' },
    { type: 'uses', source_ci: 'b', target_ci: 'nobody' },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n'),
};

const open = async (style: Style) => {
  const it = await speaking(app, style);
  for (const name of ['a', 'b', 'c']) await it.ci(name, { external_key: `key-${name}` });
  const take = async (kind: string, body: string, format: keyof typeof TYPES, query = '') =>
    (await it.send('POST', `/cmdb/import/${kind}${query}`, body, { 'content-type': TYPES[format] })).data;
  const give = async (path: string): Promise<string> => (await it.send('GET', `/cmdb/export/${path}`)).body;
  const total = async () => (await it.send('GET', '/cmdb/relationships?include_ai=true')).body.pagination.total;
  return { ...it, take, give, total };
};

describe.each(STYLES)('Relationships in files under %s', (_, style) => {
  test.each(['csv', 'jsonl'] as const)(
    '%s: a dry run says per row what would happen, and nothing does',
    async (format) => {
      const { take, total } = await open(style);
      const dry = await take('relationships', LINKS[format], format, '?dry_run=true');
      expect(dry).toMatchObject({ dry_run: true, total: 3, created: 2, updated: 0, unchanged: 0, failed: 1 });
      expect(dry.rows).toEqual([
        { row: 1, action: 'created', id: null, error: null },
        { row: 2, action: 'created', id: null, error: null },
        { row: 3, action: 'failed', id: null, error: expect.stringContaining('nobody') },
      ]);
      expect(await total()).toBe(0);
      const done = await take('relationships', LINKS[format], format);
      expect(done.rows.map(({ action }: { action: string }) => action)).toEqual(['created', 'created', 'failed']);
      expect(await total()).toBe(2);
      const again = await take('relationships', LINKS[format], format, '?dry_run=true');
      expect(again).toMatchObject({ created: 0, unchanged: 2, failed: 1 });
      expect(again.rows[0].id).toBe(done.rows[0].id);
    },
  );

  test('a row fails whose record would be larger than may be kept, or whose type is blanks', async () => {
    const { take, send, ci } = await open(style);
    const row = (at: string) => {
      const attributes = { [at]: 'x'.repeat(40_000) };
      return [
        JSON.stringify({ type: 'uses', source_ci: 'a', target_ci: 'b', attributes }),
        JSON.stringify({ external_key: 'key-a', name: 'a', type: 'server', attributes }),
      ] as const;
    };
    const error = 'attributes: expected at most 64 KiB of JSON after the merge';
    for (const [kind, place] of [
      ['relationships', 0],
      ['ci', 1],
    ] as const) {
      expect((await take(kind, row('one')[place], 'jsonl')).failed).toBe(0);
      expect((await take(kind, row('two')[place], 'jsonl')).rows).toMatchObject([{ action: 'failed', error }]);
    }
    const blank = { type: ' ', source_ci: await ci('x'), target_ci: await ci('y') };
    expect((await send('POST', '/cmdb/relationships', blank)).status).toBe(400);
    expect((await take('relationships', 'type,source_ci,target_ci\n" ",x,y\n', 'csv')).failed).toBe(1);
  });

  test('a row changes what it has and keeps what it lacks', async () => {
    const { send, take } = await open(style);
    const [first] = (await take('relationships', LINKS.csv, 'csv')).rows;
    const more =
      'type,source_ci,target_ci,attributes.port,attributes.protocol,confidence\ndepends-on,key-a,b,null,tcp,0.5\n';
    expect((await take('relationships', more, 'csv')).rows).toEqual([
      { row: 1, action: 'updated', id: first.id, error: null },
    ]);
    expect((await send('GET', `/cmdb/relationships/${first.id}`)).data).toMatchObject({
      type: 'depends_on',
      attributes: { protocol: 'tcp' },
      confidence: 0.5,
    });
  });

  test.each(['csv', 'jsonl'] as const)(
    '%s: an export can be imported again, and into an estate like it',
    async (format) => {
      const [from, to] = [await open(style), await open(style)];
      await from.take('relationships', LINKS.csv, 'csv');
      const file = await from.give(`relationships?format=${format}`);
      expect(await from.take('relationships', file, format)).toMatchObject({ total: 2, unchanged: 2 });
      // Ids are those of one infrastructure: elsewhere the ends are named.
      const named = file.replaceAll(/"?(source|target)_(ci|name)"?/g, (text) =>
        text.includes('_ci') ? text.replace('_ci', '_name') : text.replace('_name', '_ci'),
      );
      expect(await to.take('relationships', named, format)).toMatchObject({ created: 2, failed: 0 });
    },
  );

  test('attributes are as a single relationship may have them; texts stay texts in CSV', async () => {
    const { take, send } = await open(style);
    const head = 'type,source_ci,target_ci,attributes.redundancy_group,attributes.protocol,attributes.criticality\n';
    const { rows } = await take('relationships', `${head}uses,a,b,1,6,5\n`, 'csv');
    const made = (await send('GET', `/cmdb/relationships/${rows[0].id}`)).data;
    expect(made.attributes).toEqual({ redundancy_group: '1', protocol: '6', criticality: '5' });
    const wrong = [{ port: 'abc' }, { criticality: 5 }, { redundancy_group: 1 }, { redundancy_required: 'two' }];
    const lines = wrong.map((attributes) =>
      JSON.stringify({ type: 'uses', source_ci: 'b', target_ci: 'c', attributes }),
    );
    for (const line of lines) {
      const [row] = (await take('relationships', line, 'jsonl')).rows;
      expect(row).toMatchObject({
        action: 'failed',
        error: expect.stringMatching(/attributes: expected (port|redund)/),
      });
    }
  });

  test('an export of nothing has its header', async () => {
    const { send } = await speaking(app, style);
    const file = async (kind: string) => (await send('GET', `/cmdb/export/${kind}`)).body;
    expect(await file('ci')).toMatch(/^id,external_key,name,type,.*\n$/);
    expect(await file('relationships')).toMatch(/^id,type,source_ci,.*\n$/);
  });

  test('exports are narrowed as lists are', async () => {
    const { ci, join, give, send } = await open(style);
    const [x, y] = [
      await ci('x', { type: 'switch', status: 'inactive', description: 'Core' }),
      await ci('y', { description: 'Why not' }),
    ];
    await join(x, y, { type: 'uses' });
    await join(y, x, { type: 'runs_on', discovered_by: 'ai', confidence: 0.5 });
    const names = async (query: string) =>
      (await give(`ci?format=jsonl${query}`))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name);
    expect(await names('')).toEqual(['a', 'b', 'c', 'x', 'y']);
    expect(await names('&type=switch')).toEqual(['x']);
    expect(await names('&status=active&search=why')).toEqual(['y']);
    expect(await names('&search=CORE')).toEqual(['x']);
    const types = async (query: string) =>
      (await give(`relationships?format=jsonl${query}`))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type);
    expect(await types('')).toEqual(['uses']);
    expect((await types('&include_ai=true')).sort()).toEqual(['runs_on', 'uses']);
    expect(await types('&type=Runs-On&include_ai=true')).toEqual(['runs_on']);
    for (const wrong of ['ci?format=xml', 'ci?colour=red', 'ci?status=gone', 'relationships?include_ai=maybe'])
      expect([wrong, (await send('GET', `/cmdb/export/${wrong}`)).status]).toEqual([wrong, 400]);
  });
});
