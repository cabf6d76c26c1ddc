import { describe, expect, test } from '@jest/globals';
import { NEEDED_PORTS, WEB_PORTS } from '#features/discovery/rules/port-table.ts';
import { processKey, softwareNamed, softwareOfProcess, softwareOnPort, softwareSeen } from './look-up.ts';
import { ROLE_NAMES } from './roles.ts';
import { CATALOGUE } from './software.ts';

const ids = (all: readonly { readonly id: string }[]): string[] => all.map(({ id }) => id).sort();

describe('The catalogue', () => {
  test('has at least 120 rows, each with an id of its own and something to be found by', () => {
    expect(CATALOGUE.length).toBeGreaterThanOrEqual(120);
    expect(new Set(ids(CATALOGUE)).size).toBe(CATALOGUE.length);
    for (const { id, name, vendor, processes, ports } of CATALOGUE) {
      expect([id, /^[a-z0-9]+(-[a-z0-9]+)*$/.test(id), name !== '', vendor !== '']).toEqual([id, true, true, true]);
      expect([id, processes.length + ports.length > 0]).toEqual([id, true]);
    }
  });

  test('names neighbours that it has, and never a row itself', () => {
    for (const { id, neighbours } of CATALOGUE)
      for (const one of neighbours)
        expect([id, one, CATALOGUE.some((row) => row.id === one), one !== id]).toEqual([id, one, true, true]);
  });

  test('has ports that exist, once per row and protocol', () => {
    for (const { id, ports } of CATALOGUE) {
      for (const { port } of ports) expect([id, port > 0 && port < 65_536]).toEqual([id, true]);
      expect(new Set(ports.map(({ port, protocol }) => `${port}/${protocol}`)).size).toBe(ports.length);
    }
  });

  test('calls no two rows by the same name', () => {
    const owners = Map.groupBy(
      CATALOGUE.flatMap(({ id, names }) => names.map((name) => ({ id, name }))),
      ({ name }) => name,
    );
    expect([...owners.values()].filter((same) => same.length > 1).map(([one]) => one!.name)).toEqual([]);
  });

  test('has processes as they are looked up', () => {
    for (const { id, processes } of CATALOGUE)
      for (const process of processes)
        expect([process, ids(softwareOfProcess(process))]).toEqual([process, expect.arrayContaining([id])]);
  });

  test('has software of every role but that of network devices', () => {
    const roles = new Set(CATALOGUE.map(({ role }) => role));
    expect(ROLE_NAMES.filter((role) => !roles.has(role))).toEqual(['network']);
  });

  /* Two tables speak of ports: this one of software, the other of what a connection there means. */
  test.each([...NEEDED_PORTS, ...WEB_PORTS])('knows port %i as the table of connections does', (port, { words }) => {
    const known = softwareOnPort(port).flatMap(({ names, processes, role }) => [...names, ...processes, role]);
    expect(known.some((text) => words.some((word) => text.includes(word)))).toBe(true);
  });

  test.each([
    ['oracle-database', 1521],
    ['mssql', 1433],
    ['postgresql', 5432],
    ['mysql', 3306],
    ['mongodb', 27017],
    ['kafka', 9092],
    ['zookeeper', 2181],
    ['node-exporter', 9100],
    ['prometheus', 9090],
    ['zabbix-agent', 10050],
    ['zabbix-server', 10051],
    ['rabbitmq', 5672],
    ['redis', 6379],
    ['memcached', 11211],
    ['elasticsearch', 9200],
    ['tomcat', 8080],
    ['weblogic', 7001],
    ['websphere', 9080],
    ['wildfly', 9990],
    ['active-directory', 389],
    ['bind', 53],
    ['ibm-mq', 1414],
    ['kubernetes', 6443],
    ['kubelet', 10250],
    ['etcd', 2379],
    ['vault', 8200],
    ['consul', 8500],
    ['cassandra', 9042],
    ['sap-hana', 30015],
    ['db2', 50000],
    ['neo4j', 7687],
    ['influxdb', 8086],
    ['splunk', 9997],
    ['nfs', 2049],
    ['samba', 445],
    ['rdp', 3389],
    ['openssh', 22],
  ])('has %s on port %i', (id, port) => {
    expect(ids(softwareOnPort(port))).toContain(id);
  });
});

test.each([
  ['nginx', 'nginx'],
  ['nginx: master process /usr/sbin/nginx', 'nginx'],
  ['/usr/sbin/nginx -g daemon off;', 'nginx'],
  ['C:\\Program Files\\Microsoft SQL Server\\Binn\\sqlservr.exe -sMSSQLSERVER', 'sqlservr'],
  ['"C:\\Windows\\System32\\dns.exe"', 'dns'],
  ['W3WP.EXE', 'w3wp'],
  ['postgres: checkpointer', 'postgres'],
  ['', ''],
])('the process %j is %s', (process, expected) => {
  expect(processKey(process)).toBe(expected);
});

test.each([
  ['ora_pmon_ORCL', ['oracle-database']],
  ['php-fpm8.2', ['php-fpm']],
  ['python3.11', ['python']],
  ['org.apache.zookeeper.server.quorum.QuorumPeerMain', ['zookeeper']],
  ['kafka.Kafka', ['kafka']],
  ['beam.smp', ['couchbase', 'couchdb', 'emqx', 'rabbitmq']],
  ['billingd', []],
])('%s runs as %j', (process, expected) => {
  expect(ids(softwareOfProcess(process))).toEqual(expected);
});

test.each([
  ['Apache Tomcat', 'tomcat'],
  ['microsoft  SQL-server', 'mssql'],
  ['Node.js', 'nodejs'],
  ['HAProxy', 'haproxy'],
  ['k8s', 'kubernetes'],
  ['no such software', null],
])('%s is called %s', (name, id) => {
  expect(softwareNamed(name)?.id ?? null).toBe(id);
});

describe('A program that was seen', () => {
  test.each<[string, string | null, number | null, readonly string[], boolean]>([
    ['agrees in process and port', 'beam.smp', 5672, ['rabbitmq'], false],
    ['is a runtime, so the port tells', 'java', 9092, ['kafka'], false],
    ['is a runtime on a port that none of its programs has', 'java', 4711, ['openjdk'], false],
    ['is known on a port of others', 'nginx', 5432, ['nginx'], false],
    ['is not known, so the port alone speaks', 'billingd', 5432, ['postgresql'], true],
    ['is a port and nothing else', null, 1433, ['mssql'], true],
    ['is a process without a port', 'mysqld', null, ['mysql'], false],
    ['is unknown altogether', 'billingd', 4711, [], true],
  ])('%s', (_, process, port, expected, isByPort) => {
    const seen = softwareSeen({ process, port });
    expect([ids(seen.found), seen.isByPort]).toEqual([expected, isByPort]);
  });
});
