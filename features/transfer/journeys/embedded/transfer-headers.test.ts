import { describe, expect, test } from '@jest/globals';
import { STYLES, speaking } from '#test/journeys/cmdb-styles.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

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

  test.each([
    ['semicolons', '\uFEFFname;type;description\r\nköln-1;server;"a, b; c"\r\n'],
    ['tabs', 'name\ttype\tdescription\nköln-1\tserver\ta, b; c\n'],
  ])('columns may be separated by %s', async (_name, file) => {
    const { send, ci } = await open();
    const { data } = await ci(file);
    const shown = (await send('GET', `/cmdb/ci/${data.rows[0].id}`)).data;
    expect(shown).toMatchObject({ name: 'köln-1', type: 'server', description: 'a, b; c' });
  });

  test('unknown columns are ignored and named; without a name nothing is taken', async () => {
    const { send, ci, links } = await open();
    const { data } = await ci('name,type,colour,ip,Shoe size\na,server,red,10.0.0.1,3\n');
    expect([data.created, data.ignored_columns]).toEqual([1, ['colour', 'Shoe size']]);
    expect((await send('GET', `/cmdb/ci/${data.rows[0].id}`)).data.attributes).toEqual({ ip_address: '10.0.0.1' });
    const refused = await ci('title,type,colour\na,server,red\n');
    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toMatch(
      /no column for name or external_key; unknown column title, colour; expected name/,
    );
    expect(messageOf(await links('from,to\na,b\n'))).toMatch(
      /no column for source_ci; unknown column from, to; expected/,
    );
  });

  test('a caller says which field a column is', async () => {
    const { send, ci, links } = await open();
    const query = new URLSearchParams({ columns: 'Bezeichnung:name,Art:type,Farbe\\, innen:attributes.colour' });
    const { data } = await ci('Bezeichnung,Art,"Farbe, innen",Rest\nköln-1,server,rot,x\n', `?${query}`);
    expect([data.created, data.ignored_columns]).toEqual([1, ['Rest']]);
    const shown = (await send('GET', `/cmdb/ci/${data.rows[0].id}`)).data;
    expect(shown).toMatchObject({ name: 'köln-1', type: 'server', attributes: { colour: 'rot' } });
    const link = await links('von,nach,type\nköln-1,köln-1,uses\n', '?columns=von:source_ci,nach:target_ci');
    expect(link.data.rows[0].error).toMatch(/same CI/);
    const bad = async (columns: string) => messageOf(await ci('a,name\n1,2\n', `?${new URLSearchParams({ columns })}`));
    expect(await bad('a:size')).toMatch(/unknown field size; expected name/);
    expect(await bad('b:type')).toMatch(/no column b/);
    expect(await bad('type')).toMatch(/expected Column:field/);
    expect(messageOf(await ci('{"name":"a"}\n', '?columns=a:name', JSONL))).toMatch(/only supported for CSV files/);
  });

  type Row = Readonly<Record<string, unknown>>;
  const rowsOf = async (send: Awaited<ReturnType<typeof open>>['send'], path: string): Promise<readonly Row[]> =>
    (await send('GET', path)).body.data;
  test('devices of NetBox come in as they are exported', async () => {
    const { send, ci } = await open();
    const file = [
      '"ID","Name","Status","Tenant","Site","Rack","Role","Manufacturer","Type","IP Address","Serial number","Tags",',
      '"1","sw-core-1","Active","","FRA1","R1","Access Switch","Acme","X-48","192.0.2.1/24","0012","core",',
      '"2","web-1","Decommissioning","Shop","FRA1","—","Server","Acme","S-2","2001:db8::9/64","77","",',
      '"3","rtr-1","failed","","FRA1","R2","Edge router","Acme","","","null","",',
    ].join('\n');
    const report = (await ci(file)).data;
    expect([report.created, report.failed, report.ignored_columns]).toEqual([3, 0, ['Tags']]);
    const shown = await rowsOf(send, '/cmdb/ci?sort=name&order=asc');
    expect(shown.map(({ name, type, status, attributes }) => ({ name, type, status, attributes }))).toEqual([
      {
        name: 'rtr-1',
        type: 'router',
        status: 'active',
        attributes: { site: 'FRA1', rack: 'R2', role: 'Edge router', manufacturer: 'Acme' },
      },
      {
        name: 'sw-core-1',
        type: 'switch',
        status: 'active',
        attributes: {
          site: 'FRA1',
          rack: 'R1',
          role: 'Access Switch',
          manufacturer: 'Acme',
          model: 'X-48',
          ip_address: '192.0.2.1',
          serial_number: '0012',
        },
      },
      {
        name: 'web-1',
        type: 'server',
        status: 'inactive',
        attributes: {
          tenant: 'Shop',
          site: 'FRA1',
          role: 'Server',
          manufacturer: 'Acme',
          model: 'S-2',
          ip_address: '2001:db8::9',
          serial_number: '77',
        },
      },
    ]);
    expect((await ci(file)).data).toMatchObject({ unchanged: 3, warnings: report.warnings });
  });

  test('virtual machines and cables of NetBox do, too', async () => {
    const { send, ci, links } = await open();
    const vms = await ci(
      'Name,Status,Site,Cluster,Role,Tenant,VCPUs,Memory (MB),Disk (GB),Primary IP\nvm-1,Active,FRA1,c1,,Shop,"4.00","8,192",40,192.0.2.7/24\nvm-2,Staged,FRA1,c1,,,2,1024,40,\n',
    );
    expect(vms.data).toMatchObject({ created: 2, failed: 0, ignored_columns: [] });
    const [one] = await rowsOf(send, '/cmdb/ci?sort=name&order=asc');
    expect(one).toMatchObject({ name: 'vm-1', type: 'virtual_machine', status: 'active' });
    expect(one?.attributes).toMatchObject({ cluster: 'c1', memory_mb: 8192, disk_gb: 40, ip_address: '192.0.2.7' });
    const cables = await links(
      'ID,Label,Side A Device,Side A,Side B Device,Side B,Status,Type\n1,,vm-1,eth0,vm-2,eth1,Connected,CAT6\n',
    );
    expect(cables.data).toMatchObject({ created: 1, failed: 0, ignored_columns: ['Status'] });
    const [cable] = await rowsOf(send, '/cmdb/relationships');
    expect(cable).toMatchObject({ type: 'connects_to', attributes: { cable_type: 'CAT6', source_port: 'eth0' } });
  });

  test('CIs and relationships of ServiceNow come in by fields and by labels', async () => {
    const { send, ci, links } = await open();
    const byField = await ci(
      'sys_id,name,sys_class_name,ip_address,serial_number,os,location,install_status,operational_status,sys_updated_on\n' +
        'aa11,app-1,cmdb_ci_linux_server,192.0.2.20,SN-20,Linux,FRA,1,1,2026-01-01\nbb22,db-1,cmdb_ci_db_mssql_instance,,,,FRA,7,6,\n',
    );
    expect(byField.data).toMatchObject({ created: 2, failed: 0, ignored_columns: ['sys_updated_on'] });
    const shown = await rowsOf(send, '/cmdb/ci?sort=name&order=asc');
    expect(shown).toMatchObject([
      { name: 'app-1', type: 'server', status: 'active', attributes: { ip_address: '192.0.2.20', os: 'Linux' } },
      { name: 'db-1', type: 'database', status: 'inactive', attributes: { location: 'FRA' } },
    ]);
    const byLabel = await ci(
      'Name,Class,IP Address,Operating System,Serial number,Asset tag,Install Status,Model ID\nfw-1,IP Firewall,192.0.2.30,,SN-30,P1,In Maintenance,ASA\n',
    );
    expect(byLabel.data).toMatchObject({ created: 1, failed: 0, ignored_columns: [] });
    const related = await links('parent,type,child\napp-1,Depends on::Used by,db-1\n');
    expect(related.data).toMatchObject({ created: 1, failed: 0 });
    expect(await rowsOf(send, '/cmdb/relationships')).toMatchObject([{ type: 'depends_on' }]);
  });

  test('an own export goes round without a change, whatever its attributes are called', async () => {
    const { send, ci } = await open();
    await ci('name,type,attributes.role,attributes.Type,attributes.ip\na,server,Switch,X-48,10.0.0.1/24\n');
    const exported = await send('GET', '/cmdb/export/ci');
    const back = await ci(String(exported.body));
    expect(back.data).toMatchObject({ unchanged: 1, created: 0, failed: 0, ignored_columns: [], warnings: [] });
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
    expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining('a quoted JSON string')]);
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

  test('a dry run says changes, row by row; types that are probably wrong are warned of', async () => {
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
      expect.stringContaining('row 3: unknown type Servr accepted; did you mean server?'),
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
