import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ScannedHost } from '#features/discovery/schemas/discovery.ts';
import { ansibleHosts } from './ansible.ts';
import { nmapHosts } from './nmap.ts';

const sample = (name: string): string => fileURLToPath(new URL(`./samples/${name}`, import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'faultline-scans-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const valid = (hosts: readonly unknown[]): boolean => hosts.every((host) => ScannedHost.safeParse(host).success);

describe('Output of nmap', () => {
  test('becomes hosts of scan data: those that are up, with open ports and the best guess', async () => {
    const { hosts, timestamp } = await nmapHosts(sample('nmap.xml'));
    expect(hosts).toEqual([
      {
        ip_address: '192.0.2.1',
        mac_address: '00:1A:2B:3C:4D:01',
        os_guess: 'Linux 5.0 - 6.2',
        hostname: 'web-1.example.net',
        fqdn: 'web-1.example.net',
        open_ports: [22, 443],
        listening_processes: [
          { name: 'ssh', port: 22, protocol: 'tcp', description: 'OpenSSH 9.6p1 Ubuntu 3ubuntu13' },
          { name: 'http', port: 443, protocol: 'tcp', description: 'nginx 1.24.0' },
        ],
        attributes: { mac_vendor: 'Ayecom Technology' },
      },
      {
        ip_address: '2001:db8::9',
        hostname: 'db-1',
        open_ports: [5432],
        listening_processes: [{ name: 'postgresql', port: 5432, protocol: 'tcp', description: 'PostgreSQL DB' }],
      },
    ]);
    expect(timestamp).toBe('2026-11-20T09:58:40.000Z');
    expect(valid(hosts)).toBe(true);
  });

  const deep = (levels: number): string => `<nmaprun>${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}</nmaprun>`;
  test.each([
    ['another document', '<html><body/></html>', 'is not nmap -oX output'],
    ['no XML', 'Starting Nmap 7.94', 'not valid XML'],
    ['an unclosed element', '<nmaprun><host>', 'unclosed tag'],
    ['entities of its own', '<!DOCTYPE nmaprun [<!ENTITY a "b">]><nmaprun>&a;</nmaprun>', 'declares entities'],
    ['a billion laughs', `<!DOCTYPE x [${'<!ENTITY a "aaaa">'.repeat(9)}]><x/>`, 'declares entities'],
    ['a file of the machine', '<!DOCTYPE nmaprun SYSTEM "file:///etc/passwd"><nmaprun/>', 'names a DTD'],
    ['an unknown entity', '<nmaprun><host>&xxe;</host></nmaprun>', 'entity'],
    ['too deep a nest', deep(100), 'nested deeper than 64'],
    ['an endless attribute', `<nmaprun args="${'x'.repeat(5_000_000)}"/>`, 'longer than'],
    ['an endless comment', `<nmaprun><!-- ${'x'.repeat(5_000_000)} --></nmaprun>`, 'longer than'],
  ])('%s is refused', async (name, text, why) => {
    await expect(nmapHosts(file(`${name}.xml`, text))).rejects.toThrow(why);
  });

  test('ports that are none, and hosts without a name, are left out', async () => {
    const port = (id: string) => `<port portid="${id}" protocol="udp"><state state="open"/></port>`;
    const host = (inner: string) => `<host><status state="up"/>${inner}</host>`;
    const text = `<nmaprun>${host(`<address addr="192.0.2.7" addrtype="ipv4"/><ports>${port('0')}${port('x')}${port('53')}</ports>`)}${host('')}</nmaprun>`;
    const { hosts, timestamp } = await nmapHosts(file('ports.xml', text));
    expect(hosts).toEqual([
      {
        ip_address: '192.0.2.7',
        open_ports: [53],
        listening_processes: [{ name: 'unknown', port: 53, protocol: 'udp' }],
      },
    ]);
    expect(timestamp).toBeNull();
  });
});

describe('A scan file that', () => {
  const port = (id: number, name = 'x') =>
    `<ports><port protocol="tcp" portid="${id}"><state state="open"/><service name="${name}"/></port></ports>`;
  const host = (address: string, inner: string, mac?: string) =>
    `<host><address addr="${address}" addrtype="ipv4"/>${mac === undefined ? '' : `<address addr="${mac}" addrtype="mac"/>`}${inner}</host>`;
  const read = (name: string, inner: string, end = '</nmaprun>') =>
    nmapHosts(file(name, `<nmaprun scanner="masscan" start="1795800000">${inner}${end}`));
  const shown = ({ hosts }: Awaited<ReturnType<typeof nmapHosts>>) =>
    hosts.map(({ ip_address, mac_address, open_ports }) => [ip_address, mac_address, open_ports]);

  test('has an element for every port names each machine once, with all ports', async () => {
    const elements = [host('192.0.2.1', port(22)), host('192.0.2.2', port(80)), host('192.0.2.1', port(443))];
    const found = await read('ports-apart.xml', elements.join(''));
    expect(shown(found)).toEqual([
      ['192.0.2.1', undefined, [22, 443]],
      ['192.0.2.2', undefined, [80]],
    ]);
    expect(found.hosts[0]?.listening_processes?.map((one) => one.port)).toEqual([22, 443]);
    expect(valid(found.hosts)).toBe(true);
  });

  test('has two devices with one address names both', async () => {
    const [a, b] = ['00:1a:2b:00:00:01', '00:1a:2b:00:00:02'];
    const found = await read('one-address.xml', host('192.0.2.1', port(22), a) + host('192.0.2.1', port(80), b));
    expect(shown(found)).toEqual([
      ['192.0.2.1', a, [22]],
      ['192.0.2.1', b, [80]],
    ]);
  });

  const whole = host('192.0.2.1', port(22)) + host('192.0.2.2', port(80));
  test.each<[string, string, boolean]>([
    ['after a host', '', false],
    ['within a host', '<host><address addr="192.0.2.3" addrtype="ipv4"/><ports><port protocol="tcp" portid="1">', true],
    ['within a tag', '<host><address addr="192.0.', true],
    ['within a comment', '<!-- Nmap done at', false],
  ])('ends %s gives the hosts that are complete, and says so', async (name, rest, isLeftOut) => {
    const found = await read(`cut ${name}.xml`, whole + rest, '');
    expect(found.hosts.map(({ ip_address }) => ip_address)).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(found.skipped).toEqual([
      expect.stringMatching(isLeftOut ? /incomplete file.*host was skipped/ : /incomplete file/),
    ]);
    expect(found.timestamp).not.toBeNull();
  });

  test('is wrong in its middle is refused', async () => {
    await expect(read('broken.xml', `${whole}<host></port></host>`)).rejects.toThrow('not valid XML');
  });
});

describe('Facts of Ansible', () => {
  const HOST = {
    ip_address: '192.0.2.21',
    hostname: 'app-1',
    fqdn: 'app-1.example.net',
    mac_address: 'd4:ae:52:9f:10:01',
    serial_number: '7GX42Q3',
    os: 'Ubuntu 24.04',
    manufacturer: 'Dell Inc.',
    model: 'PowerEdge R650',
    interfaces: [
      { name: 'docker0', mac_address: '02:42:ac:11:00:02', ip_addresses: ['172.17.0.1'] },
      { name: 'eno1.7', mac_address: 'd4:ae:52:9f:10:01', ip_addresses: ['198.51.100.21'] },
      {
        name: 'eno1',
        mac_address: 'd4:ae:52:9f:10:01',
        ip_addresses: ['192.0.2.21', '192.0.2.22', '2001:db8::21', 'fe80::d6ae:52ff:fe9f:1001'],
      },
    ],
    attributes: {
      kernel: '6.8.0-48-generic',
      architecture: 'x86_64',
      cpu_cores: 24,
      memory_mb: 64_188,
      virtualization: 'host kvm',
    },
  };

  test('of one file become a host', () => {
    const { hosts, timestamp, skipped } = ansibleHosts(sample('ansible-setup.json'));
    expect(hosts).toEqual([HOST]);
    expect([timestamp, skipped]).toEqual(['2026-11-20T09:59:40.000Z', []]);
    expect(valid(hosts)).toBe(true);
  });

  test('of a tree become a host for each file; what failed is left out and told', () => {
    const tree = join(folder, 'tree');
    mkdirSync(tree);
    const facts = (hostname: string, iso8601: string) =>
      JSON.stringify({ ansible_facts: { ansible_hostname: hostname, ansible_date_time: { iso8601 } } });
    writeFileSync(join(tree, 'web01'), facts('web-01', '2026-11-20T10:00:00Z'));
    writeFileSync(join(tree, 'web02.json'), `web02 | SUCCESS => ${facts('web-02', '2026-11-20T09:00:00Z')}`);
    writeFileSync(join(tree, 'cached'), JSON.stringify({ ansible_nodename: 'cached-1', ansible_product_serial: 'NA' }));
    writeFileSync(join(tree, 'down'), JSON.stringify({ unreachable: true, msg: 'no route to host' }));
    writeFileSync(join(tree, 'notes'), 'not JSON');
    const { hosts, timestamp, skipped } = ansibleHosts(tree);
    expect(hosts.map(({ hostname, attributes }) => [hostname, attributes?.ansible_host])).toEqual([
      ['cached-1', 'cached'],
      ['web-01', 'web01'],
      ['web-02', 'web02'],
    ]);
    expect(timestamp).toBe('2026-11-20T09:00:00.000Z');
    expect(skipped.map((text) => text.replace(tree, ''))).toEqual([
      '/down has no facts: no route to host',
      '/notes is not JSON for a single host',
    ]);
  });

  test.each([
    ['nothing of setup', '{"a":1}', 'no facts from the setup module'],
    ['a list', '[]', 'no facts'],
    ['prefixes without an end', `${'a | '.repeat(500_000)}`, 'not JSON'],
  ])('%s is refused', (name, text, why) => {
    expect(() => ansibleHosts(file(`${name}.json`, text))).toThrow(why);
    expect(() => ansibleHosts(join(folder, 'nowhere'))).toThrow("can't be read");
  });
});
