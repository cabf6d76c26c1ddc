import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { type FakePrometheus, openFakePrometheus, SHOP } from './fake-prometheus.ts';

const app = appOfTests({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
let prometheus: FakePrometheus;
let token: string;
let serial = 0;
beforeEach(async () => {
  prometheus = await openFakePrometheus(SHOP());
  token = await app.tenant(`topology-${++serial}`);
});
afterEach(() => prometheus.stop());

const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
const put = (more: object = {}) =>
  send('PUT', '/v1/cmdb/sources/prod', {
    kind: 'prometheus',
    url: prometheus.url,
    every: '1d',
    grace: '10s',
    cluster: 'prod',
    ...more,
  });
const run = async () => (await send('POST', '/v1/cmdb/sources/prod/run', {})).body;
const cis = async () => (await send('GET', '/v1/cmdb/ci?limit=100')).body.data;
const ciOf = async (key: string) => (await cis()).find((ci: { external_key: string }) => ci.external_key === key);

describe('a Prometheus source', () => {
  test('becomes nodes, workloads, services, ingresses, volumes, hosts and what connects them', async () => {
    const made = await put({ auth: { type: 'bearer', token: 'a-secret' } });
    expect([made.status, made.body.auth, made.body.stale_since]).toEqual([201, { type: 'bearer' }, null]);
    const done = await run();
    expect(done.run.cis).toMatchObject({ total: 14, failed: 0 });
    expect(done.run.pods).toBe(8);
    expect(JSON.stringify(done)).not.toContain('a-secret');
    expect(prometheus.requests[0]).toMatchObject({
      path: '/prometheus/api/v1/query',
      authorization: 'Bearer a-secret',
    });
    const found = await cis();
    expect(found.map((ci: { external_key: string }) => ci.external_key).sort()).toEqual(
      [
        'host:prod/backup-1',
        'host:prod/ldap.example.com',
        'k8s:prod/daemonset/kube-system/proxy',
        'k8s:prod/deployment/shop/checkout',
        'k8s:prod/deployment/shop/front',
        'k8s:prod/ingress/shop/web',
        'k8s:prod/node/node-1',
        'k8s:prod/node/node-2',
        'k8s:prod/node/node-3',
        'k8s:prod/persistentvolumeclaim/shop/data-db-0',
        'k8s:prod/service/shop/checkout',
        'k8s:prod/service/shop/db',
        'k8s:prod/service/shop/front',
        'k8s:prod/statefulset/shop/db',
      ].sort(),
    );
    expect((await ciOf('k8s:prod/deployment/shop/front')).name).toBe('shop/front');
  });

  test('the roll of a deployment changes no CI', async () => {
    await put();
    await run();
    prometheus.series = SHOP('7c9d8b7f5d', ['node-3', 'node-2']);
    app.clock.advance(60_000);
    expect((await run()).run.cis).toMatchObject({ created: 0, updated: 0, ended: 0, missing: 0 });
  });

  test('what is not reported any more ends after its grace, and is back when it is reported again', async () => {
    await put();
    await run();
    const { hosts: _, ...left } = SHOP();
    prometheus.series = { ...left, targets: [{ instance: 'ldap.example.com:9330', job: 'ldap' }] };
    expect((await run()).run.cis).toMatchObject({ ended: 0, missing: 1 });
    app.clock.advance(10_000);
    expect((await run()).run.cis).toMatchObject({ ended: 1, missing: 0 });
    expect((await ciOf('host:prod/backup-1')).status).toBe('inactive');
    prometheus.series = SHOP();
    expect((await run()).run.cis).toMatchObject({ updated: 1 });
    expect((await ciOf('host:prod/backup-1')).status).toBe('active');
  });

  test('a run that would end too much ends nothing, raises an event and asks', async () => {
    await put();
    await run();
    prometheus.series = { nodes: SHOP().nodes ?? [] };
    await run();
    app.clock.advance(10_000);
    const held = await run();
    expect(held.run.cis.ended).toBe(0);
    expect(held.held).toMatchObject({ cis: 11, of_cis: 14 });
    await app.app.idle();
    const listed = await send('GET', '/api/events?limit=10');
    expect(JSON.stringify(listed.body)).toContain('Topology source prod');
    const confirmed = (await send('POST', '/v1/cmdb/sources/prod/confirm')).body;
    expect(confirmed.run.cis.ended).toBe(11);
    expect(confirmed.held).toBeNull();
  });

  test('CIs that a user has changed stay', async () => {
    await put();
    await run();
    const { id } = await ciOf('host:prod/backup-1');
    await send('PUT', `/v1/cmdb/ci/${id}`, { description: 'Ours' });
    const { hosts: _, targets: __, ...left } = SHOP();
    prometheus.series = left;
    await run();
    app.clock.advance(10_000);
    await run();
    expect((await ciOf('host:prod/backup-1')).status).toBe('active');
    expect((await ciOf('host:prod/ldap.example.com')).status).toBe('inactive');
  });

  test('a server that fails makes the source stale, and the run says why', async () => {
    await put();
    prometheus.status = 503;
    const failed = await send('POST', '/v1/cmdb/sources/prod/run', {});
    expect([failed.status, failed.body.error.message]).toEqual([
      422,
      expect.stringContaining('the store is not ready'),
    ]);
    const shown = (await send('GET', '/v1/cmdb/sources/prod')).body;
    expect(shown.stale_since).not.toBeNull();
    prometheus.status = 200;
    expect((await run()).stale_since).toBeNull();
  });

  test('a node or host that the CMDB already has is that CI', async () => {
    const { id } = (await send('POST', '/v1/cmdb/ci', { name: 'node-2', type: 'server' })).body;
    await put();
    const done = await run();
    expect(done.run).toMatchObject({ cis: { total: 14, failed: 0 }, relationships: { failed: 0 } });
    expect(await ciOf('k8s:prod/node/node-2')).toBeUndefined();
    const edges = (await send('GET', `/v1/cmdb/relationships?target_ci=${id}`)).body.data;
    expect(edges.map(({ type }: { type: string }) => type)).toEqual(['runs_on', 'runs_on']);
  });

  test('a run names what it changes, and the source keeps the last change', async () => {
    prometheus.rules = [{ name: 'A', duration: 60, alerts: [{ state: 'firing' }, { state: 'pending' }] }];
    await put();
    const first = await run();
    expect(first.run.alerts).toBe(1);
    expect(first.changes.cis.created).toContain('service shop/front');
    expect(first.changes.relationships.created).toContain('ingress shop/web depends on service shop/front');
    app.clock.advance(60_000);
    const { hosts: _, ...left } = SHOP();
    prometheus.series = { ...left, targets: [{ instance: 'ldap.example.com:9330', job: 'ldap' }] };
    expect((await run()).changes.cis.missing).toEqual(['host:prod/backup-1']);
    const shown = (await send('GET', '/v1/cmdb/sources/prod')).body;
    expect(shown.last_change.changes).toEqual(first.changes);
    app.clock.advance(10_000);
    await run();
    const after = (await send('GET', '/v1/cmdb/sources/prod')).body.last_change;
    expect(after.changes.cis.ended).toEqual(['host:prod/backup-1']);
    expect(after.counts.cis.ended).toBe(1);
  });

  test('a dry run stores nothing', async () => {
    const dry = await send('PUT', '/v1/cmdb/sources/prod?dry_run=true', {
      kind: 'prometheus',
      url: prometheus.url,
      cluster: 'prod',
    });
    expect([dry.status, dry.body.run.cis.created]).toEqual([200, 14]);
    expect((await send('GET', '/v1/cmdb/sources/prod')).status).toBe(404);
    expect(await cis()).toEqual([]);
  });

  test.each([
    ['a private address', { url: 'http://10.0.0.1' }, 'url'],
    ['an unknown field', { color: 'red' }, 'color'],
    ['a grace below 10s', { grace: '9s' }, 'grace'],
  ])('%s is refused by its field', async (_, more, field) => {
    const refused = await put(more);
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, field]);
  });
});

describe('alerts', () => {
  const alert = (alertname: string, severity: string, labels: object, summary: string) => ({
    status: 'firing',
    labels: { alertname, severity, prometheus: 'monitoring/k8s', ...labels },
    annotations: { summary },
    startsAt: new Date(app.clock.now()).toISOString(),
  });
  const KSM = {
    job: 'kube-state-metrics',
    instance: '10.1.0.9:8080',
    container: 'kube-state-metrics',
    service: 'kube-state-metrics',
    namespace: 'monitoring',
    pod: 'kube-state-metrics-1',
  };
  const of = (labels: object) => ({ ...KSM, ...labels });

  /** `for` of kube-prometheus, s. */
  const PENDING = {
    KubeNodeNotReady: 900,
    KubeNodeUnreachable: 900,
    TargetDown: 600,
    KubePodNotReady: 900,
    KubeDeploymentReplicasMismatch: 900,
    KubeStatefulSetReplicasMismatch: 900,
    KubeDaemonSetRolloutStuck: 900,
  };
  test.each([
    ['without their rules', null],
    ['with their rules', Object.entries(PENDING).map(([name, duration]) => ({ name, duration, alerts: [] }))],
  ])('of a dead node are one group with the node as its cause, %s', async (_, rules) => {
    prometheus.rules = rules;
    await put();
    await run();
    const pod = (name: string, more: object = {}) => of({ namespace: 'shop', pod: `${name}-6d4cf56db6-a`, ...more });
    const alerts = [
      alert(
        'KubeNodeNotReady',
        'warning',
        of({ node: 'node-1', condition: 'Ready', status: 'true' }),
        'Node is not ready.',
      ),
      alert(
        'KubeNodeUnreachable',
        'warning',
        of({ node: 'node-1', key: 'node.kubernetes.io/unreachable' }),
        'Node is unreachable.',
      ),
      alert(
        'TargetDown',
        'warning',
        { job: 'checkout', namespace: 'shop', service: 'checkout' },
        'One or more targets are unreachable.',
      ),
      alert(
        'TargetDown',
        'warning',
        { job: 'db', namespace: 'shop', service: 'db' },
        'One or more targets are unreachable.',
      ),
      alert(
        'KubePodNotReady',
        'warning',
        pod('checkout'),
        'Pod has been in a non-ready state for more than 15 minutes.',
      ),
      alert('KubePodNotReady', 'warning', pod('front'), 'Pod has been in a non-ready state for more than 15 minutes.'),
      alert(
        'KubeDeploymentReplicasMismatch',
        'warning',
        of({ namespace: 'shop', deployment: 'checkout' }),
        'Deployment has not matched the expected number of replicas.',
      ),
      alert(
        'KubeDeploymentReplicasMismatch',
        'warning',
        of({ namespace: 'shop', deployment: 'front' }),
        'Deployment has not matched the expected number of replicas.',
      ),
      alert(
        'KubeStatefulSetReplicasMismatch',
        'warning',
        of({ namespace: 'shop', statefulset: 'db' }),
        'StatefulSet has not matched the expected number of replicas.',
      ),
      alert(
        'KubeDaemonSetRolloutStuck',
        'warning',
        of({ namespace: 'kube-system', daemonset: 'proxy' }),
        'DaemonSet rollout is stuck.',
      ),
    ];
    for (const one of alerts) {
      await send('POST', '/api/events/webhook/prometheus', { version: '4', status: 'firing', alerts: [one] });
      app.clock.advance(5_000);
    }
    await app.app.idle();
    const { events } = (await send('GET', '/api/events?limit=50')).body;
    // biome-ignore lint/suspicious/noExplicitAny: events as they come.
    const bound = events.map((event: any) => [event.details?.alertname, event.ciId?.name]);
    expect(bound.filter(([, name]: [string, string | undefined]) => name === undefined)).toEqual([]);
    const { groups } = (await send('GET', '/api/events/groups?limit=10')).body;
    expect(groups.map((group: { eventCount: number }) => group.eventCount)).toEqual([10]);
    const { group } = (await send('GET', `/api/events/groups/${groups[0].correlationId}`)).body;
    const { ciId, confidence } = group.rootCauseCandidate;
    expect(ciId).toBe((await ciOf('k8s:prod/node/node-1')).id);
    expect(confidence).toBeGreaterThanOrEqual(0.6);
  });

  const events = async () => {
    await app.app.idle();
    return (await send('GET', '/api/events?limit=10')).body.events;
  };
  const post = (one: object) =>
    send('POST', '/api/events/webhook/prometheus', { version: '4', status: 'firing', alerts: [one] });

  test('begin before they fire, by the duration of their rule', async () => {
    const rule = (name: string, duration: number) => ({ name, duration, alerts: [] });
    prometheus.rules = [rule('Slow', 900), rule('Slow', 3_600), rule('Long', 7_200), rule('Now', 0)];
    const one = alert('Slow', 'warning', { namespace: 'shop', service: 'front' }, 'Slow');
    await post(one);
    await put();
    await run();
    const at = app.clock.now();
    for (const name of ['Slow', 'Long', 'Now'])
      await post(alert(name, 'warning', { namespace: 'shop', service: 'checkout' }, name));
    const repeated = await post(one);
    expect(repeated.body.results[0].status).toBe('duplicate_updated');
    const began = (await events()).map(({ title, timestamp }: { title: string; timestamp: string }) => [
      title,
      (at - Date.parse(timestamp)) / 60_000,
    ]);
    expect(began.sort()).toEqual([
      ['Long', 30],
      ['Now', 0],
      ['Slow', 0],
      ['Slow', 15],
    ]);
    const over = await send('POST', '/api/events/webhook/prometheus', {
      version: '4',
      status: 'resolved',
      alerts: [{ ...one, status: 'resolved', endsAt: new Date(at + 1_000).toISOString() }],
    });
    expect(over.body.results[0].status).toBe('resolved');
    await send('DELETE', '/v1/cmdb/sources/prod');
    await post(alert('Slow', 'warning', { namespace: 'shop', service: 'db' }, 'After'));
    const after = (await events()).find(({ title }: { title: string }) => title === 'After');
    expect(Date.parse(after.timestamp)).toBe(app.clock.now());
  });

  test('of the tenant have the kind and the object that it sets', async () => {
    await put();
    await run();
    const settings = { alerts: [{ alert: 'Shop*Lost', problem: 'host_down', object: 'deployment' }] };
    expect((await send('PUT', '/api/admin/settings/inbound', settings)).status).toBe(200);
    const labels = { namespace: 'shop', service: 'front', deployment: 'front' };
    await post(alert('ShopQuorumLost', 'warning', labels, 'Quorum'));
    await post(alert('ShopQuorumBad', 'warning', labels, 'Quorum'));
    const found = await events();
    const ofAlert = (name: string) => found.find(({ tags }: { tags: string[] }) => tags.includes(`alertname:${name}`));
    expect(ofAlert('ShopQuorumLost').tags).toContain('complaint:host_down');
    expect(ofAlert('ShopQuorumLost').ciId.type).toBe('deployment');
    expect(ofAlert('ShopQuorumBad').tags).not.toContain('complaint:host_down');
    const refused = await send('PUT', '/api/admin/settings/inbound', { alerts: [{ alert: 'A', problem: 'bad' }] });
    expect(refused.status).toBe(400);
  });
});
