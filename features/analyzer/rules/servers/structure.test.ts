import { describe, expect, test } from '@jest/globals';
import type { Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import { finished } from '#features/analyzer/rules/communities/roles.ts';
import { betweenness } from '#features/analyzer/rules/graph/betweenness.ts';
import { anomaliesOf, bottlenecksOf } from '../insights/service-view.ts';
import { environmentOf } from './environment.ts';
import { risksOf, type ServerFacts } from './risks.ts';
import type { ServerLink } from './server.ts';
import { type MappedServer, ownGraph, structureOf } from './structure.ts';

const TIER: Readonly<Record<string, readonly [role: string, tier: Tier | 'unclassified']>> = {
  lb: ['load-balancer', 'frontend'],
  web: ['web-server', 'frontend'],
  app: ['application-server', 'application'],
  db: ['database', 'data'],
  ns: ['dns', 'infrastructure'],
  x: ['unclassified', 'unclassified'],
};
const serversOf = (ids: readonly string[]): MappedServer[] =>
  ids.map((id) => {
    const [role, tier] = TIER[id.split('-')[0]!]!;
    return { id, hostname: id, role, tier };
  });
/** `web-1>app-1:8080`; an end that is no server is outside. */
const linksOf = (text: string): ServerLink[] =>
  text
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => {
      const [, source, target, port] = /^(.*)>(.*?)(?::(\d+))?$/.exec(one)!;
      return { source: source!, target: target!, port: port === undefined ? null : Number(port) };
    });

const structure = (ids: string, links: string) => {
  const servers = serversOf(ids.split(' '));
  const graph = ownGraph(servers, linksOf(links));
  const values = finished(betweenness(graph.undirected));
  return structureOf(servers, linksOf(links), (id) => values[graph.ids.indexOf(id)]!);
};

const NOTHING: ServerFacts = { environment: () => null, isRedundant: () => false, severeEvents: () => null };
const risks = (ids: string, links: string, facts: Partial<ServerFacts> = {}) =>
  risksOf(structure(ids, links), { ...NOTHING, ...facts }).map(
    ({ kind, servers }) => `${kind} ${servers.map(({ hostname }) => hostname).join(',')}`,
  );

const SHOP = 'lb-1 web-1 web-2 app-1 db-1';
const SHOP_LINKS = 'out>lb-1:443 lb-1>web-1:80 lb-1>web-2:80 web-1>app-1:9000 web-2>app-1:9000 app-1>db-1:5432';

describe('The structure', () => {
  test('counts servers, pairs and tiers, and finds what is most central', () => {
    const { metrics, joints } = structure(SHOP, `${SHOP_LINKS} app-1>db-1:5433 web-1>web-1:80`);
    expect(metrics).toMatchObject({
      serverCount: 5,
      connectionCount: 5,
      connectionDensity: 0.25,
      tierDistribution: { frontend: 3, application: 1, data: 1, infrastructure: 0, unclassified: 0 },
    });
    expect(metrics.criticalNodes[0]).toEqual({
      id: 'app-1',
      hostname: 'app-1',
      role: 'application-server',
      tier: 'application',
      connectionCount: 3,
      betweenness: 0.583,
    });
    expect([...joints]).toEqual(['app-1']);
  });

  test.each([
    ['one server', 'app-1', ''],
    ['two without a connection', 'app-1 db-1', ''],
  ])('of %s has no density and nothing critical', (_, ids, links) => {
    const { metrics } = structure(ids, links);
    expect([metrics.connectionDensity, metrics.criticalNodes]).toEqual([0, []]);
  });

  test('a name server that all ask joins nothing', () => {
    const { joints, metrics } = structure(`${SHOP} ns-1`, `${SHOP_LINKS} lb-1>ns-1:53 app-1>ns-1:53 db-1>ns-1:53`);
    expect([...joints]).toEqual(['app-1']);
    expect(metrics.criticalNodes.map(({ id }) => id)).not.toContain('ns-1');
    expect(metrics.connectionCount).toBe(8);
  });
});

describe('A risk is', () => {
  test.each<[string, string, string, Partial<ServerFacts>, readonly string[]]>([
    [
      'a server between all others',
      'web-1 web-2 app-1 db-1 db-2',
      'web-1>app-1 web-2>app-1 app-1>db-1 app-1>db-2',
      {},
      ['single_point app-1'],
    ],
    [
      'none that another stands in for',
      'web-1 app-1 db-1 db-2',
      'web-1>app-1 app-1>db-1 app-1>db-2',
      { isRedundant: () => true },
      [],
    ],
    ['the only data', 'app-1 app-2 db-1', 'app-1>db-1 app-2>db-1', {}, ['single_data_node db-1']],
    ['no data that nobody asks', 'app-1 app-2 db-1', 'app-1>app-2', {}, []],
    [
      'a way past the application',
      'web-1 db-1 db-2',
      'web-1>db-1:9999 web-1>db-2:9999 web-1>db-1:9998',
      {},
      ['single_point web-1', 'frontend_to_data web-1,db-1', 'frontend_to_data web-1,db-2'],
    ],
    [
      'a protocol in clear text',
      'web-1 app-1 app-2',
      'web-1>app-1:8080 web-1>app-2:8080 app-1>app-2:8080',
      {},
      ['clear_text app-1,app-2'],
    ],
    [
      'production that asks test',
      'app-1 app-2',
      'app-1>app-2',
      { environment: (id) => (id === 'app-1' ? 'production' : 'test') },
      ['mixed_environments app-1,app-2'],
    ],
    [
      'an open severe event',
      'app-1 app-2',
      'app-1>app-2',
      { severeEvents: (id) => (id === 'app-2' ? 3 : 0) },
      ['open_events app-2'],
    ],
    ['data that strangers ask', 'db-1 db-2', 'app-9>db-1', {}, ['data_from_outside db-1']],
    [
      'nothing of what is well',
      'web-1 web-2 app-1 app-2 db-1 db-2',
      'web-1>app-1:9000 web-1>app-2:9000 web-2>app-1:9000 web-2>app-2:9000 app-1>db-1:5432 app-1>db-2:5432 app-2>db-1:5432 app-2>db-2:5432',
      {},
      [],
    ],
  ])('%s', (_, ids, links, facts, expected) => {
    expect(risks(ids, links, facts)).toEqual(expected);
  });

  test('told at most five times of a kind', () => {
    const ids = ['web-1', ...Array.from({ length: 8 }, (_, n) => `db-${n}`)];
    const links = ids.slice(1).map((id) => `web-1>${id}:5432`);
    const found = risks(ids.join(' '), links.join(' '));
    expect(found.filter((one) => one.startsWith('frontend_to_data'))).toHaveLength(5);
  });
});

test('what does not look as elsewhere is told', () => {
  const found = anomaliesOf(structure('app-1 db-1 x-1 web-1', 'app-1>db-1 db-1>app-1 x-1>app-1'));
  expect(found.map(({ kind, servers, what }) => [kind, servers.map(({ id }) => id), what])).toEqual([
    ['unclassified', ['x-1'], 'has an unclear role'],
    ['isolated', ['web-1'], 'has no connection to any other server'],
    ['reversed', ['db-1'], 'holds data and connects to app-1 of the application tier, against the normal direction'],
  ]);
  expect(anomaliesOf(structure('app-1 db-1', ''))).toEqual([]);
});

test.each([
  ['half of the others', 'app-1 app-2 app-3 db-1', 'app-1>db-1 app-2>db-1 app-3>db-1', ['db-1']],
  ['two others', 'app-1 app-2 db-1 db-2', 'app-1>db-1 app-2>db-1 app-1>db-2 app-2>db-2', []],
  ['ways between others', 'web-1 app-1 db-1', 'web-1>app-1 app-1>db-1', ['app-1']],
])('a bottleneck has %s', (_, ids, links, expected) => {
  expect(bottlenecksOf(structure(ids, links)).map(({ server }) => server.id)).toEqual(expected);
});

test.each([
  ['web-prd-01', null, 'production'],
  ['web-prod.test.example.net', null, 'production'],
  ['uat-app-2', null, 'test'],
  ['preprod-1', null, 'test'],
  ['web-p-01', null, null],
  ['x', 'P', 'production'],
  ['web-prd-1', 'Staging', 'test'],
  ['web-01', 'unknown', null],
])('%s (%s) is %s', (hostname, said, environment) => {
  expect(environmentOf(hostname, said)).toBe(environment);
});
