import { describe, expect, test } from '@jest/globals';
import type { Stepwise } from '#domain/ports/clock.ts';
import { differenceOf, isDue } from './difference.ts';
import { needsConfirmation } from './guard.ts';
import { withKnownObjects } from './known-objects.ts';
import { QUERY_NAMES, type SeriesByQuery, type SeriesLabels, type SeriesQuery } from './prometheus/queries.ts';
import { errorIn, seriesIn } from './prometheus/reply.ts';
import { topologyOf } from './prometheus/topology.ts';
import { delayAfter } from './source.ts';
import type { SaidEntry } from './wanted.ts';

const said = (key: string, more: Partial<SaidEntry> = {}): [string, SaidEntry] => [
  key,
  { key, id: key, print: 'p', isKept: false, missingSince: null, ...more },
];

const run = <T>(steps: Stepwise<T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

describe('the difference', () => {
  test.each([
    ['new', [], ['a'], true, { changed: ['a'], unchanged: 0, missing: [] }],
    ['as before', [said('a')], ['a'], true, { changed: [], unchanged: 1, missing: [] }],
    ['otherwise', [said('a', { print: 'q' })], ['a'], true, { changed: ['a'], unchanged: 0, missing: [] }],
    ['back', [said('a', { missingSince: 1 })], ['a'], true, { changed: ['a'], unchanged: 0, missing: [] }],
    ['no more', [said('a'), said('b')], ['b'], true, { changed: [], unchanged: 1, missing: ['a'] }],
    ['a part', [said('a'), said('b')], ['b'], false, { changed: [], unchanged: 1, missing: [] }],
    ['twice', [], ['a', 'a'], true, { changed: ['a'], unchanged: 0, missing: [] }],
  ] as const)('%s', (_, before, wanted, isWhole, expected) => {
    const printed = wanted.map((key) => ({ key, print: 'p' }));
    const found = run(differenceOf(new Map(before), printed, isWhole));
    const keys = (all: readonly { readonly key: string }[]) => all.map(({ key }) => key);
    expect({ ...found, changed: keys(found.changed), missing: keys(found.missing) }).toEqual(expected);
  });

  test.each([
    [null, false],
    [91, false],
    [90, true],
  ])('missing since %s, after a grace of 10 at 100: %s', (missingSince, due) => {
    expect(isDue({ missingSince }, 100, 10)).toBe(due);
  });
});

test.each([
  [3, 10, 0, 0, false],
  [4, 10, 0, 0, true],
  [0, 10, 10, 20, false],
  [0, 10, 11, 20, true],
  [0, 0, 0, 0, false],
])('%i of %i CIs and %i of %i relationships ask: %s', (cis, ofCis, edges, ofEdges, asks) => {
  expect(needsConfirmation({ cis, ofCis, edges, ofEdges })).toBe(asks);
});

test.each([
  [0, 60_000],
  [1, 120_000],
  [3, 480_000],
  [9, 900_000],
])('after %i failures in a row the next run is %i ms later', (failures, ms) => {
  expect(delayAfter(failures, 60_000)).toBe(ms);
});

describe('hints', () => {
  const known = {
    clusters: ['prod'],
    pods: new Map([['prod/shop/front-1', 'k8s:prod/deployment/shop/front']]),
    addresses: new Map([['10.1.0.1', 'k8s:prod/deployment/shop/front']]),
  };
  test.each([
    ['a pod', ['k8s:*/pod/shop/front-1'], 'k8s:prod/deployment/shop/front'],
    ['a cluster that series do not name', ['k8s:eu/pod/shop/front-1'], 'k8s:prod/deployment/shop/front'],
    ['an object', ['k8s:*/statefulset/shop/db'], 'k8s:prod/statefulset/shop/db'],
    ['a node', ['k8s:*/node/node-1'], 'k8s:prod/node/node-1'],
  ])('of %s find the key', (_, hints, key) => {
    expect(withKnownObjects({ hints }, known).hints?.[0]).toBe(key);
  });
  test('an unknown pod, another text, and an object of one of two clusters find none', () => {
    for (const hints of [['k8s:*/pod/shop/x'], ['shop/front-1'], ['k8s:prod/node/n']])
      expect(withKnownObjects({ hints }, known).hints).toEqual(hints);
    const two = { ...known, clusters: ['a', 'b'] };
    expect(withKnownObjects({ hints: ['k8s:*/node/n'] }, two).hints).toEqual(['k8s:*/node/n']);
  });
  test('the address of a pod comes last', () => {
    const { hints } = withKnownObjects({ hints: ['x'], ipAddress: '10.1.0.1' }, known);
    expect(hints).toEqual(['x', 'k8s:prod/deployment/shop/front']);
  });
});

describe('replies of Prometheus', () => {
  test('a vector is read, anything else is not', () => {
    const vector = { resultType: 'vector', result: [{ metric: { a: 'b', n: 1 }, value: [1, '2.5'] }, null] };
    const body = JSON.stringify({ status: 'success', data: vector });
    expect(run(seriesIn(body))).toEqual([{ labels: { a: 'b' }, value: 2.5 }]);
    for (const body of [
      '<html>',
      '{}',
      JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: [] } }),
    ])
      expect(() => run(seriesIn(body))).toThrow();
  });
  test('a long vector is read in pieces, and one that was cut off is not', () => {
    const label = (n: number): string => `},{"metric":${n}`;
    const result = Array.from({ length: 5_000 }, (_, n) => ({ metric: { label: label(n) }, value: [1, `${n}`] }));
    const body = JSON.stringify({ status: 'success', data: { resultType: 'vector', result }, warnings: ['slow'] });
    expect([...seriesIn(body)].length).toBeGreaterThan(2);
    expect(run(seriesIn(body))).toEqual(result.map((_, n) => ({ labels: { label: label(n) }, value: n })));
    expect(() => run(seriesIn(body.slice(0, -40)))).toThrow();
  });
  test('its error is told', () => {
    expect(errorIn('{"status":"error","error":"too many samples"}')).toBe('too many samples');
    expect(errorIn('<html>')).toBeNull();
  });
});

describe('topology from series', () => {
  const all = (some: Partial<Record<SeriesQuery, readonly SeriesLabels[]>>): SeriesByQuery =>
    Object.fromEntries(
      QUERY_NAMES.map((name) => [name, (some[name] ?? []).map((labels) => ({ labels, value: 3 }))]),
    ) as unknown as SeriesByQuery;
  const pod = (name: string, kind: string, owner: string, node: string, more: SeriesLabels = {}): SeriesLabels => ({
    namespace: 'shop',
    pod: name,
    node,
    created_by_kind: kind,
    created_by_name: owner,
    pod_ip: '10.1.0.1',
    ...more,
  });
  const keysOf = (some: Parameters<typeof all>[0]) => run(topologyOf(all(some), null)).set.cis.map(({ key }) => key);
  const edgesOf = (some: Parameters<typeof all>[0]) =>
    run(topologyOf(all(some), null)).set.edges.map(({ line, source, target }) => [
      source.text.replace('k8s:default/', ''),
      line.type,
      target.text.replace('k8s:default/', ''),
      line.attributes?.redundancy_group ?? null,
    ]);

  test.each([
    [
      'a ReplicaSet whose owner is told',
      [{ namespace: 'shop', replicaset: 'a-x', owner_kind: 'Rollout', owner_name: 'a' }],
      'a-x',
      'rollout/shop/a',
    ],
    ['a ReplicaSet by its name', [], 'front-6d4cf56db6', 'deployment/shop/front'],
  ])('%s', (_, replicaSets, owner, workload) => {
    const found = edgesOf({ replicaSets, pods: [pod('p', 'ReplicaSet', owner, 'n')] });
    expect(found).toEqual([[workload, 'runs_on', 'node/n', null]]);
  });

  test('replicas on several nodes are a redundancy group, and one alone is none', () => {
    const pods = ['n1', 'n2'].map((node) => pod(`p-${node}`, 'StatefulSet', 'db', node));
    expect(edgesOf({ pods }).map(([, , , group]) => group)).toEqual(['replicas', 'replicas']);
  });

  test('pods of jobs and of nodes themselves become no CI', () => {
    const pods = [
      pod('backup-1', 'Job', 'backup-28', 'n1'),
      pod('apiserver', 'Node', 'n1', 'n1'),
      pod('bare', '<none>', '<none>', 'n1'),
    ];
    const found = run(topologyOf(all({ pods }), null));
    expect(found.set.cis.map(({ key }) => key)).toEqual(['k8s:default/node/n1']);
    expect(found.pods.map(({ target }) => target)).toEqual(Array(3).fill('k8s:default/node/n1'));
  });

  test('two clusters with the same names have names that begin with the cluster', () => {
    const nodes = ['a', 'b'].map((cluster) => ({ cluster, node: 'n1' }));
    const names = run(topologyOf(all({ nodes: [...nodes, { cluster: 'a', node: 'n2' }] }), null)).set.cis;
    expect(names.map(({ line }) => line.name)).toEqual(['a/n1', 'b/n1', 'n2']);
  });

  test('services find workloads by slices, too; a slice of an unknown service does nothing', () => {
    const slice = (endpointslice: string) => ({
      namespace: 'shop',
      endpointslice,
      targetref_kind: 'Pod',
      targetref_name: 'p',
    });
    const found = edgesOf({
      pods: [pod('p', 'StatefulSet', 'db', 'n')],
      services: [{ namespace: 'shop', service: 'db' }],
      slices: [slice('db-x7k2p'), slice('other-x7k2p')],
    });
    expect(found).toContainEqual(['service/shop/db', 'depends_on', 'statefulset/shop/db', null]);
    expect(found).toHaveLength(2);
  });

  test('calls join workloads of that name where one namespace has it, else CIs of their own', () => {
    const workloads = [
      { namespace: 'shop', deployment: 'front' },
      { namespace: 'a', deployment: 'api' },
      { namespace: 'b', deployment: 'api' },
    ];
    const calls = [
      { client: 'front', server: 'api', connection_type: '' },
      { client: 'user', server: 'front', connection_type: '' },
    ];
    expect(edgesOf({ workloads, calls })).toEqual([
      ['deployment/shop/front', 'depends_on', 'service:default/api', null],
    ]);
  });

  test('a machine that is a node is that node; targets by address or address of the web are none', () => {
    const found = keysOf({
      nodes: [{ node: 'n1', internal_ip: '10.0.0.1' }],
      hosts: [
        { instance: '10.0.0.1:9100', nodename: 'n1' },
        { instance: 'db-1:9100', nodename: 'db-1' },
      ],
      targets: [
        { instance: '10.0.0.9:9100' },
        { instance: 'https://shop.example.com' },
        { instance: 'db-1.example.com:9187' },
        { instance: 'ldap-1' },
      ],
    });
    expect(found).toEqual(['k8s:default/node/n1', 'host:default/db-1', 'host:default/ldap-1']);
  });
});
