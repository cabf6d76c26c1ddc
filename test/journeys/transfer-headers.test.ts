import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { STYLES, speaking } from './cmdb-styles.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.stop());

const CSV = { 'content-type': 'text/csv' };
const JSONL = { 'content-type': 'application/x-ndjson' };

describe.each(STYLES)('A file under %s', (_, style) => {
  const open = async () => {
    const { send } = await speaking(app, style);
    return {
      send,
      ci: (body: string, query = '', headers = CSV) => send('POST', `/cmdb/import/ci${query}`, body as never, headers),
      links: (body: string, query = '') => send('POST', `/cmdb/import/relationships${query}`, body as never, CSV),
    };
  };
  const messageOf = ({ body }: { body: { error: { message: string } } }): string => body.error.message;

  test('columns are known in any case, those of bags keep the case of their keys', async () => {
    const { send, ci } = await open();
    const report = await ci('Name,TYPE,Attributes.cpuCores\nweb-1,server,8\n');
    expect(report.data).toMatchObject({ created: 1, failed: 0 });
    expect((await send('GET', `/cmdb/ci/${report.data.rows[0].id}`)).data.attributes).toEqual({ cpuCores: 8 });
  });

  test('an unknown column is refused once, with those that are known', async () => {
    const { ci, links } = await open();
    const refused = await ci('name,type,colour,ip\na,server,red,1\nb,server,red,2\n');
    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toMatch(/unknown column colour, ip; expected name, type, .*attributes\.<name>/);
    expect(messageOf(await links('from,to\na,b\n'))).toMatch(/unknown column from, to; expected type, source_ci/);
  });

  test.each([
    ['', CSV],
    ['name,type\n', CSV],
    ['\n\n', CSV],
    ['\n \n', JSONL],
  ])('a file without rows is no success: %j', async (body, headers) => {
    const { ci } = await open();
    const refused = await ci(body, '', headers);
    expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringMatching(/expected (a header|at least)/)]);
  });

  test('a file that was sent as one JSON text is told so', async () => {
    const { ci } = await open();
    const refused = await ci(JSON.stringify('name,type\nweb-1,server\n'));
    expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining('a JSON text')]);
  });

  test.each(['300.1.1.1', '10.0.0.1.5', '10.0.0', 'dhcp', '2001:db8::1::2', '10.0.0.7/24', ''])(
    'the address %s',
    async (address) => {
      const { ci } = await open();
      const { data } = await ci(`name,type,attributes.ip_address\na,server,${address}\n`);
      const isWrong = ['300.1.1.1', '2001:db8::1::2'].includes(address);
      expect([data.failed, data.rows[0].error]).toEqual([
        isWrong ? 1 : 0,
        isWrong ? expect.stringContaining('attributes.ip_address: expected an IPv4 or IPv6 address') : null,
      ]);
    },
  );

  test('a dry run says what would change, row by row; types that are probably wrong are warned of', async () => {
    const { ci, links } = await open();
    const rows = 'external_key,name,type,attributes.os,attributes.cpus';
    await ci(`${rows}\nk-1,web-1,server,linux,4\nk-2,web-2,server,linux,\n`);
    const changed = `${rows}\nk-1,web-one,server,linux,null\nk-2,web-2,server,linux,\nk-3,web-3,Servr,,\n`;
    const { data } = await ci(changed, '?dry_run=true');
    expect(data.rows.map(({ action }: { action: string }) => action)).toEqual(['updated', 'unchanged', 'created']);
    expect(data.rows[0].changes).toEqual([
      { field: 'name', before: 'web-1', after: 'web-one' },
      { field: 'attributes.cpus', before: 4, after: null },
    ]);
    expect([data.rows[1].changes, data.rows[2].changes]).toEqual([undefined, undefined]);
    expect(data.warnings).toEqual([
      expect.stringContaining('row 3: type Servr is taken as it is; did you mean server?'),
    ]);
    expect((await ci(changed)).data.rows[0]).not.toHaveProperty('changes');
    await links('type,source_ci,target_ci,confidence\nuses,k-1,k-2,0.5\n');
    const dry = await links(
      'type,source_ci,source_type,target_ci,confidence\nuses,web-one,server,k-2,0.9\n',
      '?dry_run=true',
    );
    expect(dry.data.rows[0].changes).toEqual([{ field: 'confidence', before: 0.5, after: 0.9 }]);
  });
});
