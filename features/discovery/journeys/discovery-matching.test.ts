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

  test.each(KEYS.slice(0, -1).map((one, i) => [one[0], KEYS[i + 1]![0], one, KEYS[i + 1]!] as const))(
    '%s goes before %s',
    async (first, _second, [, surer, said], [, weaker, alsoSaid]) => {
      const { ci, scan } = await scanning(app, style);
      const [id, other] = [await ci('surer', surer), await ci('weaker', weaker)];
      const { hosts } = await scan([{ ip_address: '10.9.9.9', ...alsoSaid, ...said }]);
      expect(hosts[0].matched_by).toBe(first);
      // Two keys that name two CIs are for a person to decide; an address alone says less than a name.
      expect([id, null]).toContain(hosts[0].ci_id);
      expect(hosts[0].ci_id).not.toBe(other);
      expect(hosts[0].action).toBe(hosts[0].ci_id === null ? 'ambiguous' : 'updated');
    },
  );

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

  test('a machine that nobody knows becomes a server, named by host name, else by its address', async () => {
    const { send, scan } = await scanning(app, style);
    const { hosts } = await scan([{ hostname: 'new-1', ip_address: '10.0.0.1' }, { ip_address: '10.0.0.2' }]);
    const made = await Promise.all(
      hosts.map(async ({ ci_id }: { ci_id: string }) => (await send('GET', `/cmdb/ci/${ci_id}`)).data),
    );
    expect(made).toMatchObject([
      { name: 'new-1', type: 'server', status: 'active' },
      { name: '10.0.0.2', type: 'server' },
    ]);
  });
});

describe.each(STYLES)('Whose word counts, under %s', (_, style) => {
  const host = { hostname: 'db-1', serial_number: 'SN-1' };
  const at = (minutes: number) => ({ timestamp: START - 3_600_000 + minutes * 60_000 });

  test('of two scanners the newer sighting, whichever comes first', async () => {
    const { send, scan } = await scanning(app, style);
    const os = async (id: string) => (await send('GET', `/cmdb/ci/${id}`)).data.attributes.os;
    const { hosts } = await scan([{ ...host, os: 'second' }], { scanner_id: 'b', ...at(2) });
    const id = hosts[0].ci_id;
    await scan([{ ...host, os: 'first' }], { scanner_id: 'a', ...at(1) });
    expect(await os(id)).toBe('second');
    await scan([{ ...host, os: 'third' }], { scanner_id: 'a', ...at(3) });
    expect(await os(id)).toBe('third');
    const { attributes } = (await send('GET', `/cmdb/ci/${id}/provenance`)).data;
    expect(attributes.os).toMatchObject({ value: 'third', by: 'a', losers: [{ value: 'second', by: 'b' }] });
  });

  test('a scan takes nothing away, neither from people nor from another scanner', async () => {
    const { send, ci, scan } = await scanning(app, style);
    const id = await ci('db-1', { attributes: { serial_number: 'SN-1', owner: 'dba' }, description: 'Main' });
    await scan([{ ...host, os: 'Linux', open_ports: [22], attributes: { rack: 'r1' } }], { scanner_id: 'a', ...at(1) });
    await scan([{ ...host, model: 'X' }], { scanner_id: 'b', ...at(2) });
    await scan([host], { scanner_id: 'a', ...at(3) });
    const shown = (await send('GET', `/cmdb/ci/${id}`)).data;
    expect(shown).toMatchObject({ name: 'db-1', description: 'Main' });
    expect(shown.attributes).toEqual({
      serial_number: 'SN-1',
      owner: 'dba',
      hostname: 'db-1',
      os: 'Linux',
      open_ports: [22],
      rack: 'r1',
      model: 'X',
    });
  });

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

  test('the same scan twice changes nothing', async () => {
    const { send, scan } = await scanning(app, style);
    const said = [{ ...host, os: 'Linux', interfaces: [{ name: 'eth0', mac_address: '00:1a:2b:00:00:01' }] }];
    const { hosts } = await scan(said);
    const path = `/cmdb/ci/${hosts[0].ci_id}`;
    const whole = async () => [
      (await send('GET', path)).data,
      (await send('GET', `${path}/history`)).body.pagination.total,
    ];
    const before = await whole();
    app.clock.advance(60_000);
    expect((await scan(said)).hosts[0]).toMatchObject({ action: 'unchanged', ci_id: hosts[0].ci_id });
    expect(await whole()).toEqual(before);
  });
});
