import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';

const app = appOfTests();

const CSV = { 'content-type': 'text/csv' };
const HOSTS = [
  'external_key,name,type,status,description,attributes.ip_address,attributes.cpu_cores,custom_fields.department',
  'k-1,web-1,server,active,"Front, ""first""",10.9.0.1,8,Sales',
  'k-2,db-1,database,maintenance,,10.9.0.2,16,',
  ',cron-1,server,,,,,IT',
].join('\n');

// biome-ignore lint/suspicious/noExplicitAny: reports as they come.
const actions = (report: any) => report.rows.map(({ row, action }: { row: number; action: string }) => [row, action]);

describe.each([
  ['v1', '/v1', (body: unknown) => body],
  ['api', '/api', (body: { data: unknown }) => body.data],
])('a file in the style of %s', (style, prefix, inner) => {
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
  const of = (reply: { body: any }): any => inner(reply.body);

  test('a dry run says what would happen, the import does it, the same file again changes nothing', async () => {
    const token = await app.tenant(`file-${style}`);
    const post = (query: string, body: string) =>
      app.send('POST', `${prefix}/cmdb/import/ci${query}`, body, { token, headers: CSV });
    const listed = async () => (await app.send('GET', '/v1/cmdb/ci', undefined, { token })).body;

    const dry = await post('?dry_run=true', HOSTS);
    expect([dry.status, of(dry).dry_run, of(dry).created]).toEqual([200, true, 3]);
    expect(of(dry).rows[0]).toEqual({ row: 1, action: 'created', id: null, error: null });
    expect((await listed()).data).toEqual([]);

    const done = of(await post('', HOSTS));
    expect(done).toMatchObject({ dry_run: false, total: 3, created: 3, failed: 0, stopped: false, truncated: false });
    const { data } = await listed();
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['cron-1', 'db-1', 'web-1']);
    expect(data[2]).toMatchObject({
      id: done.rows[0].id,
      external_key: 'k-1',
      description: 'Front, "first"',
      attributes: { ip_address: '10.9.0.1', cpu_cores: 8 },
      custom_fields: { department: 'Sales' },
    });

    expect(of(await post('', HOSTS))).toMatchObject({ total: 3, unchanged: 3 });
    const changes = 'external_key,name,attributes.cpu_cores,attributes.ip_address\nk-1,web-one,null,10.9.0.9\n';
    expect(actions(of(await post('', changes)))).toEqual([[1, 'updated']]);
    const web = await app.send('GET', `/v1/cmdb/ci/${done.rows[0].id}`, undefined, { token });
    expect(web.body).toMatchObject({ name: 'web-one', status: 'active', attributes: { ip_address: '10.9.0.9' } });
    expect(web.body.attributes).not.toHaveProperty('cpu_cores');
    const audit = await app.send('GET', '/api/admin/audit', undefined, { token });
    expect(audit.body.data[0]).toMatchObject({ action: 'cmdb.imported', after: { updated: 1 } });
  });

  test('bad rows fail by themselves and say why', async () => {
    const token = await app.tenant(`rows-${style}`);
    const lines = [
      { name: 'a', type: 'server' },
      { name: 'a', type: 'Server' },
      { name: 'b' },
      { external_key: 'nobody' },
      { name: 'c', type: 'server', status: 'gone' },
      { name: 'd', type: 'server', colour: 'red' },
      { name: 'e', type: 'server', confidence: 1 },
    ].map((line) => JSON.stringify(line));
    const body = [...lines, 'no json', '', JSON.stringify({ name: 'f', type: 'server' })].join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    const report = of(await app.send('POST', `${prefix}/cmdb/import/ci`, body, { token, headers }));
    expect(report).toMatchObject({ total: 9, created: 2, failed: 7 });
    const errors = report.rows.map(({ error }: { error: string | null }) => error);
    expect(errors).toEqual([
      null,
      'duplicate of row 1',
      expect.stringContaining('name and type'),
      expect.stringContaining('name and type are required'),
      expect.stringContaining('status'),
      expect.stringContaining('colour'),
      expect.stringContaining('confidence'),
      expect.stringContaining('JSON'),
      null,
    ]);
  });

  test('custom fields come in either spelling', async () => {
    const token = await app.tenant(`spelling-${style}`);
    const post = (body: string) => app.send('POST', `${prefix}/cmdb/import/ci`, body, { token, headers: CSV });
    const file = 'external_key,name,type,customFields.a,custom_fields.b\nk,n,server,1,2\n';
    const { rows } = of(await post(file));
    expect(rows).toEqual([expect.objectContaining({ action: 'created' })]);
    const { body } = await app.send('GET', `/v1/cmdb/ci/${rows[0].id}`, undefined, { token });
    expect(body.custom_fields).toEqual({ a: 1, b: 2 });
  });

  test('relationships name their ends by id, external key or name', async () => {
    const token = await app.tenant(`ends-${style}`);
    await app.send('POST', `${prefix}/cmdb/import/ci`, HOSTS, { token, headers: CSV });
    const twins = 'name,type\ntwin,server\ntwin,database\n';
    await app.send('POST', `${prefix}/cmdb/import/ci`, twins, { token, headers: CSV });
    const file = [
      'type,source_ci,target_ci,attributes.port,confidence',
      'depends-on,web-1,k-2,5432,0.9',
      'depends_on,cron-1,k-2,,',
      'depends_on,cron-1,twin,,',
      'depends_on,cron-1,nobody,,',
      'depends_on,k-1,web-1,,',
      'short,row',
    ].join('\n');
    const post = async () =>
      of(await app.send('POST', `${prefix}/cmdb/import/relationships`, file, { token, headers: CSV }));
    const report = await post();
    expect(report).toMatchObject({ total: 6, created: 2, failed: 4 });
    expect(report.rows.map(({ error }: { error: string | null }) => error)).toEqual([
      null,
      null,
      expect.stringContaining('several CIs are named twin'),
      expect.stringContaining('no CI with ID, external key or name nobody'),
      expect.stringContaining('the same CI'),
      expect.stringContaining('cell count'),
    ]);
    expect(await post()).toMatchObject({ unchanged: 2, failed: 4 });
    const { body } = await app.send('GET', '/v1/cmdb/relationships', undefined, { token });
    expect(body.data[0]).toMatchObject({ type: 'depends_on', attributes: { port: 5432 }, confidence: 0.9 });
  });

  test.each(['csv', 'jsonl'])('an export as %s can be imported elsewhere and gives the same', async (format) => {
    const [from, to] = [await app.tenant(`from-${style}-${format}`), await app.tenant(`to-${style}-${format}`)];
    const odd = {
      empty: '',
      seven: '007',
      number: 7,
      text: '7',
      formula: '=1+1',
      minus: -1,
      none: [null],
      deep: { a: [1] },
    };
    const draft = (name: string) => ({ name, type: 'server', external_key: name, attributes: odd });
    for (const name of ['a', 'b']) await app.send('POST', '/v1/cmdb/ci', draft(name), { token: from });
    await app.send('POST', `${prefix}/cmdb/import/relationships?format=csv`, 'type,source_ci,target_ci\nuses,a,b', {
      token: from,
    });

    const file = async (kind: string, token: string) => {
      const reply = await app.send('GET', `${prefix}/cmdb/export/${kind}?format=${format}`, undefined, { token });
      expect([reply.status, reply.headers.get('content-disposition')]).toEqual([
        200,
        `attachment; filename="${kind}.${format}"`,
      ]);
      return reply.body as string;
    };
    const taken = of(
      await app.send('POST', `${prefix}/cmdb/import/ci?format=${format}`, await file('ci', from), { token: to }),
    );
    expect(taken).toMatchObject({ created: 2, failed: 0 });
    const { body } = await app.send('GET', '/v1/cmdb/ci?search=a', undefined, { token: to });
    expect(body.data[0].attributes).toEqual(odd);
    const again = of(
      await app.send('POST', `${prefix}/cmdb/import/ci?format=${format}`, await file('ci', to), { token: to }),
    );
    expect(again).toMatchObject({ unchanged: 2 });
    expect(await file('relationships', from)).toContain('uses');
  });
});

/** Returns the number of times that the key `k` was claimed or renewed. */
const revisionOfKey = async (tenant: string): Promise<number> =>
  (await app.app.ports.records.get(tenant, 'idempotency', 'cmdb.import-ci/k'))?.revision ?? 0;

describe.each(['/v1', '/api'])('an Idempotency-Key under %s', (prefix) => {
  /** A tenant with a sender of files. */
  const open = async (name: string) => {
    const tenant = `once${prefix.replace('/', '-')}-${name}`;
    const token = await app.tenant(tenant);
    const post = (body: string, query = '', key = 'k') =>
      app.send('POST', `${prefix}/cmdb/import/ci${query}`, body, {
        token,
        headers: { ...CSV, 'idempotency-key': key },
      });
    const audited = async (): Promise<number> =>
      (await app.send('GET', '/api/admin/audit?action=cmdb.imported', undefined, { token })).body.data.length;
    return { tenant, token, post, audited };
  };

  test('stands for one import: the same file gets the first report, another one is refused', async () => {
    const { post, audited } = await open('same');
    const [first, again] = [await post(HOSTS), await post(HOSTS)];
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await audited()).toBe(1);
    expect((await post(`${HOSTS}\n`)).status).toBe(422);
    expect((await post(HOSTS, '?dry_run=true')).status).toBe(422);
    expect((await post(HOSTS, '', 'other')).headers.get('idempotency-replayed')).toBeNull();
    expect(await audited()).toBe(2);
  });

  test('is free again after an import that was refused', async () => {
    const { post } = await open('refused');
    expect((await post('name,name\na,b')).status).toBe(400);
    expect((await post(HOSTS)).status).toBe(200);
  });

  test('is taken while the file arrives, however long that takes', async () => {
    const { tenant, token, post } = await open('slow');
    const lines = HOSTS.split('\n').map((line) => `${line}\n`);
    const { readable, writable } = new TransformStream<string, string>();
    const headers = { ...CSV, authorization: `Bearer ${token}`, 'idempotency-key': 'k' };
    const body = readable.pipeThrough(new TextEncoderStream());
    const slow = fetch(`${app.url}${prefix}/cmdb/import/ci`, { method: 'POST', headers, body, duplex: 'half' });
    const file = writable.getWriter();
    for (const [sent, line] of lines.slice(0, 3).entries()) {
      await file.write(line);
      await until(async () => (await revisionOfKey(tenant)) > sent);
      app.clock.advance(50_000);
    }
    expect((await post(HOSTS)).status).toBe(409);
    await file.write(lines[3]!);
    await file.close();
    expect((await slow).status).toBe(200);
    expect((await post(HOSTS)).status).toBe(422);
  });
});

test('more than 1,000 bad rows stop an import, and the rest is left', async () => {
  const token = await app.tenant('stopped');
  const bad = Array.from({ length: 1_200 }, () => 'x,server,what').join('\n');
  const body = `name,type,status\n${bad}\nlast,server,active\n`;
  const reply = await app.send('POST', '/v1/cmdb/import/ci', body, { token, headers: CSV });
  expect(reply.body).toMatchObject({ stopped: true, created: 0 });
  expect(reply.body.failed).toBeGreaterThan(1_000);
});

test.each([
  ['no format', { 'content-type': 'text/plain' }, 'a', 'Content-Type'],
  ['a column twice', CSV, 'name,name\na,b', 'duplicate column name'],
  ['a quote that is never closed', CSV, 'name,type\n"a,b\nc,d', 'quote'],
])('a file that cannot be read is refused as a whole: %s', async (_name, headers, body, message) => {
  const reply = await app.send('POST', '/v1/cmdb/import/ci', body, { headers });
  expect([reply.status, reply.body.error.message]).toEqual([400, expect.stringContaining(message)]);
});
