import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { STYLES, speaking } from '../cmdb-styles.ts';

const app = appOfTests();

const open = async (role?: string) => {
  const it = await speaking(app, STYLES[1]![1], role);
  const find = async (ip: string) => it.send('GET', `/api/ci/find-by-ip/${encodeURIComponent(ip)}`);
  const debug = async (ip: string) => it.send('GET', `/api/debug/find-ci-by-ip/${encodeURIComponent(ip)}`);
  return { ...it, find, debug };
};

describe('A CI is found by its address', () => {
  test.each([
    ['ip_address', { attributes: { ip_address: '10.0.0.1' } }, '10.0.0.1', 'attributes.ip_address'],
    ['in custom fields', { customFields: { ip_address: '10.0.0.1' } }, '10.0.0.1', 'custom_fields.ip_address'],
    [
      'all_ip_addresses',
      { customFields: { all_ip_addresses: ['10.9.9.9', '10.0.0.1'] } },
      '10.0.0.1',
      'custom_fields.all_ip_addresses[1]',
    ],
    ['a list', { attributes: { ips: ['10.0.0.1'] } }, '10.0.0.1', 'attributes.ips[0]'],
    ['interfaces', { attributes: { interfaces: [{ ip: '10.0.0.1/24' }] } }, '10.0.0.1', 'attributes.interfaces[0].ip'],
    [
      'a structure',
      { attributes: { network: { interfaces: [{ addresses: ['10.0.0.1'] }] } } },
      '10.0.0.1',
      'attributes.network.interfaces[0].addresses[0]',
    ],
    ['several in one text', { attributes: { ips: '10.0.0.9, 10.0.0.1' } }, '10.0.0.1', 'attributes.ips'],
    [
      'IPv6, spelled in full',
      { attributes: { ip_address: '2001:db8::1' } },
      '2001:0DB8:0:0:0:0:0:1',
      'attributes.ip_address',
    ],
    ['IPv6, stored in full', { attributes: { ipv6: '2001:0DB8:0:0:0:0:0:1' } }, '2001:db8::1', 'attributes.ipv6'],
    ['IPv4 inside IPv6', { attributes: { ip_address: '10.0.0.1' } }, '::ffff:10.0.0.1', 'attributes.ip_address'],
  ])('%s', async (_, fields, asked, field) => {
    const { find, debug, ci } = await open();
    const id = await ci('db-1', fields);
    expect(await find(asked)).toMatchObject({
      status: 200,
      body: { success: true, data: { found: true, ci: { _id: id } } },
    });
    expect((await debug(asked)).data.results).toMatchObject([{ _id: id, matchedFields: [field] }]);
  });

  test('is shown with all its addresses', async () => {
    const { find, ci, join } = await open();
    const attributes = {
      ip_address: '10.0.0.1',
      interfaces: [{ ip: '10.0.0.2/24' }, { ip: 'FD00::0:7' }],
      gateway_ip: '10.0.0.254',
    };
    const [id, other] = [await ci('db-1', { attributes, customFields: { owner: 'dba' } }), await ci('app')];
    await join(other, id);
    const { ci: found } = (await find('fd00::7')).data;
    expect(found).toMatchObject({ name: 'db-1', attributes, relationships: [{ target_name: 'app' }] });
    expect(found.customFields).toEqual({
      owner: 'dba',
      ip_address: '10.0.0.1',
      all_ip_addresses: ['10.0.0.1', '10.0.0.2', 'fd00::7'],
    });
    expect((await find('10.0.0.254')).data).toEqual({ found: false, ci: null });
  });

  test('the one whose ip_address it is comes first, then the newest', async () => {
    const { find, debug, ci } = await open();
    const main = await ci('main', { attributes: { ip_address: '10.0.0.1' } });
    app.clock.advance(1_000);
    const older = await ci('older', { attributes: { ips: ['10.0.0.1'] } });
    app.clock.advance(1_000);
    const newer = await ci('newer', { attributes: { ips: ['10.0.0.1'] } });
    expect((await find('10.0.0.1')).data.ci._id).toBe(main);
    const { data } = await debug('10.0.0.1');
    expect(data.results.map(({ _id }: { _id: string }) => _id)).toEqual([main, newer, older]);
  });

  test('follows changes, and is nobody else’s', async () => {
    const { find, send, ci } = await open();
    const id = await ci('db-1', { attributes: { ip_address: '10.0.0.1' } });
    await send('PUT', `/cmdb/ci/${id}`, { attributes: { ip_address: '10.0.0.2' } });
    expect([(await find('10.0.0.1')).data.found, (await find('10.0.0.2')).data.found]).toEqual([false, true]);
    expect((await (await open()).find('10.0.0.2')).data.found).toBe(false);
    await send('DELETE', `/cmdb/ci/${id}`);
    expect((await find('10.0.0.2')).data.found).toBe(false);
  });
});

test('what is no address is refused', async () => {
  const { find, debug } = await open();
  for (const wrong of ['db-1', '10.0.0.256', '10.0.0', '1::2::3'])
    expect([(await find(wrong)).status, (await debug(wrong)).status]).toEqual([400, 400]);
});

test('debugging shows the query that ran, to administrators alone', async () => {
  const { debug, ci } = await open();
  const id = await ci('db-1', { attributes: { ip_address: '2001:db8::1' } });
  expect((await debug('2001:DB8::0:1')).data).toEqual({
    searchedIp: '2001:db8::1',
    query: { ip: '2001:db8::1', sort: 'created_at', order: 'desc', limit: 200 },
    results: [
      {
        _id: id,
        name: 'db-1',
        type: 'server',
        matchedFields: ['attributes.ip_address'],
        all_ip_addresses: ['2001:db8::1'],
      },
    ],
    found: true,
  });
  expect((await debug('10.0.0.1')).data).toMatchObject({ results: [], found: false });
  const editor = await open('editor');
  expect([(await editor.debug('10.0.0.1')).status, (await editor.find('10.0.0.1')).status]).toEqual([403, 200]);
});
