import { describe, expect, test } from '@jest/globals';
import { type Network, NO_NETWORK } from '#features/discovery/rules/network.ts';
import { aCi } from '#test/contract/topology-samples.ts';
import { ciDocument } from './ci-document.ts';

const network = (port: number, name: string, process = 'psql'): Network => ({
  listeners: [{ name, pid: 1, port, protocol: 'tcp', description: null, scanner: 's', seenAt: 500 }],
  connections: [{ process, targetIp: '10.0.0.9', count: 1, ports: [5432], firstSeen: 1, lastSeen: 2, seenAt: 400 }],
});

describe('A CI is found', () => {
  const ci = aCi('c', {
    name: 'DB-1',
    type: 'database server',
    description: 'Orders',
    externalKey: 'K-1',
    updatedAt: 300,
    attributes: {
      hostname: 'db-1',
      fqdn: 'db-1.example.org',
      ip_address: '10.0.0.1',
      os: 'Debian 12',
      cores: '16',
      installed_software: [{ name: 'PostgreSQL', version: '17' }, 'Apache Tomcat', { version: '3' }, 7],
      open_ports: [22, '8443', 99_999, 'x'],
    },
    customFields: { owner: 'Team Storage' },
  });
  const { keywords, ...document } = ciDocument(ci, network(5432, '/usr/lib/postgresql/bin/Postgres.exe'));

  test('by what listens and runs on it, as exact words', () => {
    expect(keywords).toEqual([
      'type:database server',
      'port5432',
      'port22',
      'port8443',
      'process:postgres',
      'process:psql',
      'software:postgresql',
      'software:apache tomcat',
    ]);
  });

  test('by its names, addresses and plain values', () => {
    expect(document).toMatchObject({ kind: 'ci', id: 'c', title: 'DB-1', at: 500 });
    expect(document.facts).toEqual({ type: 'database server', status: 'active' });
    const lines = document.text.split('\n');
    const expected = [
      'database server',
      'Orders',
      'K-1',
      'db-1',
      'db-1.example.org',
      '10.0.0.1',
      'PostgreSQL',
      'Debian 12',
      'psql',
    ];
    expect(lines).toEqual(expect.arrayContaining([...expected, 'Team Storage', 'Apache Tomcat']));
    expect(lines).not.toContain('16');
  });
});

test('of a CI with nothing but a name', () => {
  expect(ciDocument(aCi('c', { name: 'x', type: 'server' }), NO_NETWORK)).toMatchObject({
    text: 'server\n',
    keywords: ['type:server'],
  });
});
