import { describe, expect, test } from '@jest/globals';
import { namesIn } from '#features/analyzer/rules/catalogue/found-names.ts';
import { softwareById } from '#features/analyzer/rules/catalogue/look-up.ts';
import { type Described, enrich } from './enrich.ts';
import { hostPatternsIn } from './host-patterns.ts';

const asked = (more: Partial<Described>): Described => ({
  description: null,
  chosen: [],
  processes: [],
  software: [],
  ...more,
});
const found = (more: Partial<Described>) =>
  enrich(asked(more), []).software.map(({ software, name, source, confidence }) => [
    software?.id ?? name,
    source,
    confidence,
  ]);
const named = (name: string, version: string | null = null) => ({ name, vendor: null, version });
const chosen = (catalogId: string | null, name: string | null) => ({ catalogId, name, vendor: null, version: null });

describe('Software', () => {
  test.each<[string, Partial<Described>, readonly unknown[]]>([
    ['chosen from the catalogue', { chosen: [chosen('redis', null)] }, ['redis', 'manual', 1]],
    ['chosen by its name', { chosen: [chosen('cat-17', 'Redis')] }, ['redis', 'manual', 0.9]],
    ['chosen, and not of the catalogue', { chosen: [chosen('cat-17', 'Acme DB')] }, ['Acme DB', 'manual', 1]],
    ['named by another name', { software: [named('MS SQL', '2022')] }, ['mssql', 'manual', 0.9]],
    ['that nobody knows', { software: [named('Acme DB')] }, ['Acme DB', 'manual', 1]],
    ['behind a process', { processes: ['sqlservr.exe'] }, ['mssql', 'catalogue', 0.9]],
    [
      'in a description',
      { description: 'The portal keeps its data in oracle rac.' },
      ['oracle-database', 'catalogue', 0.7],
    ],
  ])('%s', (_, more, expected) => {
    expect(found(more)[0]).toEqual(expected);
  });

  test('comes with what it needs', () => {
    expect(found({ software: [named('Apache Tomcat')] })).toEqual([
      ['tomcat', 'manual', 0.9],
      ['openjdk', 'catalogue', 0.5],
    ]);
  });

  test('is there once, as sure as the best reason for it, with the version that the caller names', () => {
    const description = 'Redis caches, and redis keeps sessions.';
    const { software } = enrich(
      asked({ description, software: [named('redis', '7.2')], processes: ['redis-server'] }),
      [],
    );
    expect(software).toMatchObject([{ name: 'Redis', version: '7.2', confidence: 0.9 }]);
  });

  test('that shares a process with others is possible, and no more', () => {
    expect(found({ processes: ['beam.smp'] }).filter(([, , confidence]) => confidence !== 0.5)).toEqual([]);
  });

  test('mapped by a model is less sure than what a description names', () => {
    const mapped = [{ word: 'message bus', software: softwareById('kafka')! }];
    const { software, processes } = enrich(asked({ description: 'A message bus' }), mapped);
    expect(software[0]).toMatchObject({ name: 'Apache Kafka', source: 'model', confidence: 0.6 });
    expect(processes[0]).toEqual({ name: 'kafka', source: 'model', software: 'Apache Kafka', confidence: 0.6 });
  });
});

test('processes and ports are those of the software, each once, the surest first; given ones stay as they are', () => {
  const { processes, ports } = enrich(
    asked({ processes: ['billingd'], software: [named('PostgreSQL'), named('pgbouncer')] }),
    [],
  );
  expect(processes.slice(0, 3)).toEqual([
    { name: 'billingd', source: 'manual', software: null, confidence: 1 },
    { name: 'postgres', source: 'catalogue', software: 'PostgreSQL', confidence: 0.9 },
    { name: 'postmaster', source: 'catalogue', software: 'PostgreSQL', confidence: 0.9 },
  ]);
  expect(ports).toEqual([
    { port: 5432, protocol: 'tcp', purpose: '', software: 'PostgreSQL', confidence: 0.9 },
    { port: 6432, protocol: 'tcp', purpose: '', software: 'PgBouncer', confidence: 0.9 },
  ]);
});

test('words that the catalogue does not know are left for a model', () => {
  const { open } = enrich(
    asked({
      description: 'Our billing portal uses Tomcat and a document store of 2019.',
      software: [named('Acme DB')],
      processes: ['acmed', 'nginx'],
    }),
    [],
  );
  expect(open).toEqual([
    { text: 'Acme DB', from: 'software' },
    { text: 'acmed', from: 'process' },
    { text: 'billing', from: 'description' },
    { text: 'document', from: 'description' },
  ]);
});

test.each<[string, readonly string[]]>([
  ['Apache Kafka feeds apache tomcat behind Apache', ['kafka', 'tomcat', 'apache-httpd']],
  ['nginx, PostgreSQL and Node.js.', ['nginx', 'postgresql', 'nodejs']],
  ['The vault of documents is bound to puma shoes', []],
  ['Secrets come from Vault', ['vault']],
  ['SAP S/4HANA on SAP HANA', ['sap-netweaver', 'sap-hana']],
  ['It runs on ms sql server', ['mssql']],
  ['Java on Oracle WebLogic', ['openjdk', 'weblogic']],
  ['redis-server', []],
  ['', []],
])('%j names %j', (text, ids) => {
  expect(namesIn(text).names.map(({ software }) => software.id)).toEqual(ids);
});

test.each<[string, readonly string[]]>([
  ['The Atlas portal runs on shop-db-01, shop-db-02 and app07.example.net.', ['shop-db-*', 'app*', '*atlas*']],
  ['It is called “webshop” and speaks HTTP2 with utf8, see s3 and k8s', ['*webshop*']],
  ['The Apache Server on Linux for Customers', []],
  ['Der Kundendienst nutzt die Datenbank im Rechenzentrum', []],
  ['', []],
])('hosts of %j have names like %j', (text, patterns) => {
  expect(hostPatternsIn(text)).toEqual(patterns);
});
