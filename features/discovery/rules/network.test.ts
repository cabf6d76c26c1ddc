import { describe, expect, test } from '@jest/globals';
import type { SeenConnection, SeenListener } from './host.ts';
import { listenerOn, MAX_CONNECTIONS, NO_NETWORK, sameNames, withSeen } from './network.ts';

const seen = (process: string, targetIp: string, parts: Partial<SeenConnection> = {}): SeenConnection => ({
  process,
  targetIp,
  port: 5432,
  count: 1,
  firstSeen: 10,
  lastSeen: 20,
  ...parts,
});
const listener = (port: number, name: string, protocol = 'tcp'): SeenListener => ({
  name,
  pid: 1,
  port,
  protocol,
  description: null,
});
const by = (scanner: string, seenAt: number) => ({ scanner, seenAt });

describe('Connections', () => {
  test('one scan adds up by process and target', () => {
    const connections = [
      seen('nginx', '10.0.0.2', { count: 3, port: 8080, firstSeen: 5 }),
      seen('NGINX', '10.0.0.2', { count: 4, port: 8081, lastSeen: 30 }),
      seen('nginx', '10.0.0.3', { port: null }),
    ];
    expect(withSeen(NO_NETWORK, { connections }, by('agent', 100)).connections).toEqual([
      {
        process: 'nginx',
        targetIp: '10.0.0.2',
        count: 7,
        ports: [8080, 8081],
        firstSeen: 5,
        lastSeen: 30,
        seenAt: 100,
      },
      { process: 'nginx', targetIp: '10.0.0.3', count: 1, ports: [], firstSeen: 10, lastSeen: 20, seenAt: 100 },
    ]);
  });

  test('the newer scan counts, and the same scan twice changes nothing', () => {
    const first = withSeen(NO_NETWORK, { connections: [seen('a', '1', { count: 5 })] }, by('agent', 100));
    expect(withSeen(first, { connections: [seen('a', '1', { count: 5 })] }, by('agent', 100))).toEqual(first);
    const later = withSeen(
      first,
      { connections: [seen('a', '1', { count: 2, lastSeen: 90, port: 1 })] },
      by('agent', 200),
    );
    expect(later.connections).toEqual([
      expect.objectContaining({ count: 2, firstSeen: 10, lastSeen: 90, ports: [1, 5432] }),
    ]);
    const late = withSeen(later, { connections: [seen('a', '1', { count: 9, firstSeen: 1 })] }, by('other', 150));
    expect(late.connections).toEqual([expect.objectContaining({ count: 2, firstSeen: 1, lastSeen: 90 })]);
  });

  test('what says no time was seen when the scan was made', () => {
    const untimed = seen('a', '1', { firstSeen: null, lastSeen: null });
    const { connections } = withSeen(NO_NETWORK, { connections: [untimed] }, by('agent', 100));
    expect(connections).toEqual([expect.objectContaining({ firstSeen: 100, lastSeen: 100 })]);
  });

  test('the longest unseen give way', () => {
    const many = Array.from({ length: MAX_CONNECTIONS + 5 }, (_, i) => seen('a', `10.0.0.${i}`, { lastSeen: 20 + i }));
    const { connections } = withSeen(NO_NETWORK, { connections: many }, by('agent', 100));
    expect([connections.length, connections.at(-1)!.lastSeen]).toEqual([MAX_CONNECTIONS, 25]);
  });
});

describe('Listening processes', () => {
  test('a later scan replaces what its own scanner saw, and nothing of others', () => {
    const first = withSeen(NO_NETWORK, { listeners: [listener(22, 'sshd'), listener(80, 'nginx')] }, by('agent', 100));
    const both = withSeen(first, { listeners: [listener(161, 'snmpd', 'udp')] }, by('nmap', 110));
    const later = withSeen(both, { listeners: [listener(22, 'sshd')] }, by('agent', 200));
    expect(later.listeners.map(({ port, scanner }) => [port, scanner])).toEqual([
      [22, 'agent'],
      [161, 'nmap'],
    ]);
    expect(withSeen(later, { listeners: [listener(80, 'nginx')] }, by('agent', 150))).toEqual(later);
    expect(withSeen(later, {}, by('agent', 300))).toEqual(later);
  });

  test('TCP before UDP, then the newest', () => {
    const one = withSeen(NO_NETWORK, { listeners: [listener(53, 'dns-u', 'udp'), listener(53, 'dns')] }, by('a', 100));
    const two = withSeen(one, { listeners: [listener(53, 'bind')] }, by('b', 200));
    expect(listenerOn(two, 53)?.name).toBe('bind');
    expect(listenerOn(one, 53)?.name).toBe('dns');
    expect(listenerOn(one, 54)).toBeNull();
  });
});

test('another time of a scan changes nothing that a CI is found by; another port or process does', () => {
  const network = (port: number, name: string, process: string, at = 100) =>
    withSeen(
      NO_NETWORK,
      { listeners: [listener(port, name)], connections: [seen(process, '10.0.0.9')] },
      by('agent', at),
    );
  const before = network(80, 'nginx', 'psql');
  expect(sameNames(before, network(80, 'nginx', 'psql', 900))).toBe(true);
  expect(sameNames(before, network(81, 'nginx', 'psql'))).toBe(false);
  expect(sameNames(before, network(80, 'apache2', 'psql'))).toBe(false);
  expect(sameNames(before, network(80, 'nginx', 'curl'))).toBe(false);
});
