import { describe, expect, test } from '@jest/globals';
import { STYLES } from '#test/journeys/cmdb-styles.ts';
import { scanning } from '#test/journeys/discovery-styles.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const app = appOfTests();

/** What a machine is known by, the surest first: as a CI has it, and as a scanner says it. */
const KEYS = [
  ['external_key', { external_key: 'K-1' }, { external_key: 'k-1' }],
  ['serial_number', { attributes: { serial_number: 'SN-1' } }, { serial_number: 'sn-1' }],
  ['mac_address', { attributes: { mac_address: '00:1A:2B:00:00:01' } }, { mac_address: '00-1a-2b-00-00-01' }],
  ['fqdn', { attributes: { fqdn: 'db.example.org' } }, { fqdn: 'DB.example.org' }],
  ['hostname', { attributes: { hostname: 'db' } }, { hostname: 'DB' }],
  ['ip_address', { attributes: { ip_address: '2001:db8::1' } }, { ip_address: '2001:0DB8:0:0:0:0:0:1' }],
] as const;

describe.each(STYLES)('Which CI a machine is, under %s', (_, style) => {
  test.each(KEYS)('by %s', async (key, fields, said) => {
    const { ci, scan } = await scanning(app, style);
    await ci('another');
    const id = await ci('known', fields);
    const host = { ...('hostname' in said || 'ip_address' in said ? {} : { ip_address: '10.9.9.9' }), ...said };
    const { hosts } = await scan([host]);
    expect(hosts[0]).toMatchObject({ ci_id: id, matched_by: key });
    expect(['updated', 'unchanged']).toContain(hosts[0].action);
  });

  test.each([
    [{ hostname: 'localhost', ip_address: '127.0.0.1' }],
    [{ ip_address: '127.0.0.1' }],
    [{ hostname: 'localhost' }],
    [{ ip_address: 'fe80::5' }],
  ])('a machine that has no key of its own fails: %j', async (host) => {
    const { send, scan } = await scanning(app, style);
    for (const { hosts } of [await scan([host]), await scan([host])])
      expect(hosts[0]).toMatchObject({ action: 'failed', ci_id: null, reason: expect.stringContaining('MAC address') });
    expect((await send('GET', '/cmdb/ci')).body.pagination.total).toBe(0);
  });
});

describe.each(STYLES)('Whose word counts, under %s', (_, style) => {
  const host = { hostname: 'db-1', serial_number: 'SN-1' };
  const at = (minutes: number) => ({ timestamp: START - 3_600_000 + minutes * 60_000 });

  test('what a person or an import writes stands against later scans', async () => {
    const { send, scan } = await scanning(app, style);
    const { hosts } = await scan([{ ...host, os: 'scanned', model: 'scanned', manufacturer: 'scanned' }], at(1));
    const path = `/cmdb/ci/${hosts[0].ci_id}`;
    await send('PUT', path, { attributes: { os: 'by hand' } });
    const file = 'name,type,attributes.model\ndb-1,server,imported\n';
    await send('POST', '/cmdb/import/ci', file, { 'content-type': 'text/csv' });
    await scan([{ ...host, os: 'again', model: 'again', manufacturer: 'again' }], at(2));
    const { attributes } = (await send('GET', `${path}/provenance`)).data;
    const told = (name: string) => [attributes[name].value, attributes[name].source];
    expect(told('os')).toEqual(['by hand', 'manual']);
    expect(told('model')).toEqual(['imported', 'import']);
    expect(told('manufacturer')).toEqual(['again', 'discovery']);
    expect((await send('GET', path)).data.attributes).toMatchObject({
      os: 'by hand',
      model: 'imported',
      manufacturer: 'again',
    });
  });
});
