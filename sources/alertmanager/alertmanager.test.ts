import { describe, expect, test } from '@jest/globals';
import { actionOf, alert, alertmanagerMessage, draftOf, RECEIVED, readAs } from '../samples-for-tests.ts';

const of = (changes: Record<string, unknown>) => ({ ...alertmanagerMessage, alerts: [{ ...alert, ...changes }] });
const labelled = (labels: Record<string, unknown>, fingerprint?: string) =>
  of({ labels: { alertname: 'A', ...labels }, ...(fingerprint && { fingerprint }) });

describe('Alertmanager', () => {
  test('a firing alert: what is shown', () => {
    expect(actionOf('alertmanager', alertmanagerMessage)).toMatchObject({
      action: 'open',
      conditionId: 'prometheus:00aa11bb22cc33dd',
      draft: {
        source: 'prometheus',
        sourceId: '00aa11bb22cc33dd',
        severity: 'critical',
        title: 'Target is down',
        description: 'No scrape for 5 minutes',
        ipAddress: '10.9.0.4',
        application: 'shop',
        timestamp: Date.UTC(2026, 10, 21, 6, 0, 0, 123),
        ongoing: true,
        tags: ['alertname:TargetDown', 'instance:10.9.0.4:9182', 'job:windows', 'severity:page', 'namespace:shop'],
        details: { receiver: 'faultline', groupKey: '{}:{alertname="TargetDown"}', sourceSeverity: 'page', raw: alert },
      },
    });
    const draft = draftOf('prometheus', alertmanagerMessage);
    expect(draft.hostname).toBeUndefined();
    expect(draft.service).toBeUndefined();
  });

  test('each alert has its own status, whatever the envelope says', () => {
    const alerts = [
      alert,
      { ...alert, status: 'resolved', endsAt: '2026-11-21T06:30:00Z' },
      'rubbish',
      { ...alert, status: undefined },
    ];
    const { items } = readAs('prometheus', { ...alertmanagerMessage, alerts });
    expect(items.map((item) => (item.ok ? item.action.action : 'error'))).toEqual(['open', 'resolve', 'error', 'open']);
    expect(items[1]).toMatchObject({
      action: { at: Date.UTC(2026, 10, 21, 6, 30), conditionId: 'prometheus:00aa11bb22cc33dd' },
    });
  });

  test.each([
    ['critical', 'critical'],
    ['PAGE', 'critical'],
    ['fatal', 'critical'],
    ['emergency', 'critical'],
    ['p1', 'critical'],
    ['major', 'major'],
    ['error', 'major'],
    ['high', 'major'],
    ['P2', 'major'],
    ['minor', 'minor'],
    ['medium', 'minor'],
    ['p3', 'minor'],
    ['warn', 'warning'],
    ['p4', 'warning'],
    ['info', 'info'],
    ['informational', 'info'],
    ['none', 'info'],
    ['low', 'info'],
    ['debug', 'info'],
    ['p5', 'info'],
  ])('label severity=%s is %s', (severity, ours) => {
    expect(draftOf('prometheus', labelled({ severity })).severity).toBe(ours);
  });

  test('an unknown severity is a warning with a tag; so is none, without', () => {
    expect(draftOf('prometheus', labelled({ severity: 'Spicy' }))).toMatchObject({
      severity: 'warning',
      tags: expect.arrayContaining(['severity:Spicy']),
    });
    expect(draftOf('prometheus', labelled({}))).toMatchObject({ severity: 'warning', tags: ['alertname:A'] });
    const severities = { prometheus: { spicy: 'major' } };
    expect(draftOf('prometheus', labelled({ severity: 'Spicy' }), { severities }).severity).toBe('major');
  });

  test('without a fingerprint it is computed as Prometheus does, in any order of labels', () => {
    const without = (labels: unknown) => draftOf('prometheus', of({ labels, fingerprint: undefined })).sourceId;
    expect(without({ alertname: 'A', job: 'b' })).toBe(without({ job: 'b', alertname: 'A' }));
    expect(without({ alertname: 'A', job: 'b' })).not.toBe(without({ alertname: 'A', job: 'c' }));
    expect(without({ alertname: 'A', job: 'b' })).toMatch(/^[0-9a-f]{16}$/);
  });

  test('version 3 and a list as Prometheus posts it are read too', () => {
    expect(
      actionOf('prometheus', { ...of({ fingerprint: undefined }), version: '3', groupKey: 1234567890123 }).action,
    ).toBe('open');
    const bare = { labels: alert.labels, annotations: {}, startsAt: alert.startsAt };
    expect(actionOf('prometheus', [{ ...bare, endsAt: new Date(RECEIVED + 60_000).toISOString() }]).action).toBe(
      'open',
    );
    expect(actionOf('prometheus', [{ ...bare, endsAt: new Date(RECEIVED - 60_000).toISOString() }]).action).toBe(
      'resolve',
    );
  });

  test.each([
    ['host:port', { instance: 'db-1.example:9100' }, { hostname: 'db-1.example' }],
    ['IPv6 and port', { instance: '[2001:db8::5]:9100' }, { ipAddress: '2001:db8::5' }],
    ['a URL', { instance: 'https://u:p@shop.example:8443/health?x=1' }, { hostname: 'shop.example' }],
    ['a bare name', { instance: 'db-1' }, { hostname: 'db-1' }],
    [
      'a node and the address of its exporter',
      { node: 'k8s-3', instance: '10.0.0.3:9100' },
      { hostname: 'k8s-3', ipAddress: '10.0.0.3' },
    ],
    [
      'a node, and not from who tells of it',
      { node: 'worker-77', instance: '10.42.0.99:8080', job: 'kube-state-metrics' },
      { hostname: 'worker-77' },
    ],
    ['a host before an instance', { host: 'db-1', instance: 'exporter:9187' }, { hostname: 'db-1' }],
    [
      'the address of a host, and no name from its exporter',
      { host: '10.77.0.1', instance: 'snmp-exporter:9116', job: 'snmp' },
      { ipAddress: '10.77.0.1' },
    ],
    [
      'an instance and a later label',
      { instance: '10.0.0.3:9100', kubernetes_node: 'k8s-3' },
      { hostname: 'k8s-3', ipAddress: '10.0.0.3' },
    ],
    [
      'what was pushed, and not from the gateway',
      { instance: 'pushgateway:9091', node: 'k8s-9', exported_instance: 'db-07', exported_job: 'backup' },
      { hostname: 'db-07' },
    ],
    ['a node that was renamed', { node: 'k8s-9', exported_node: 'k8s-1' }, { hostname: 'k8s-1' }],
    ['a job that was pushed without an instance', { instance: 'pushgateway:9091', exported_job: 'backup' }, {}],
    ['a renamed label that says nothing', { host: 'db-1', exported_host: '<no value>' }, { hostname: 'db-1' }],
    ['OpenTelemetry', { 'k8s.node.name': 'node-7', instance: '10.1.1.1:8080' }, { hostname: 'node-7' }],
    ['OpenTelemetry with other signs', { k8s_node_name: 'node-8' }, { hostname: 'node-8' }],
    ['OpenTelemetry outside of Kubernetes', { 'host.name': 'vm-3' }, { hostname: 'vm-3' }],
    ['no start of a program', { instance: '0b1c2d3e-0000-4000-8000-000000000001' }, {}],
    ['the next label where one says nothing', { host: '[no value]', instance: 'db-2:9100' }, { hostname: 'db-2' }],
    ['no placeholder with a port', { instance: '{{ $labels.instance }}:9100' }, {}],
    ['a node of Erlang', { node: 'rabbit@rmq-1' }, { hostname: 'rmq-1' }],
  ])('takes the host from %s', (_what, labels, place) => {
    const { hostname, ipAddress } = draftOf('prometheus', labelled(labels));
    expect({ hostname, ipAddress }).toEqual({ hostname: undefined, ipAddress: undefined, ...place });
  });

  const ofPod = {
    namespace: 'shop',
    pod: 'cart-a',
    container: 'main',
    job: 'kube-state-metrics',
    instance: '10.42.7.7:8080',
    service: 'kps-kube-state-metrics',
  };
  const ofDeployment = {
    ...ofPod,
    pod: 'kps-kube-state-metrics-5c9',
    container: 'kube-state-metrics',
    deployment: 'cart',
  };
  test.each([
    ['a pod', ofPod, 'shop/cart-a', ['shop/cart-a', 'cart-a', 'main', 'k8s:*/pod/shop/cart-a']],
    [
      'a pod of another job',
      { ...ofPod, job: 'kubernetes-endpoints' },
      'shop/cart-a',
      [
        'shop/cart-a',
        'cart-a',
        'main',
        'shop/kubernetes-endpoints',
        'k8s:*/pod/shop/cart-a',
        'k8s:*/service/shop/kubernetes-endpoints',
      ],
    ],
    ['what stands beside its own pod', ofDeployment, 'shop/cart', ['shop/cart', 'cart', 'k8s:*/deployment/shop/cart']],
    [
      'what Prometheus renamed',
      { ...ofPod, exported_namespace: 'shop', exported_pod: 'cart-b', pod: 'kps-kube-state-metrics-5c9' },
      'shop/cart-b',
      ['shop/cart-b', 'cart-b', 'main', 'k8s:*/pod/shop/cart-b'],
    ],
  ])('of kube-state-metrics only %s is told, not itself', (_what, labels, system, ciHints) => {
    const draft = draftOf('prometheus', labelled(labels));
    expect(draft.ciHints).toEqual(ciHints);
    expect(draft.ciHints?.[0]).toBe(system);
    for (const field of ['hostname', 'ipAddress', 'service']) expect(draft).not.toHaveProperty(field);
    expect(draft.application).toBe('shop');
  });

  test.each([
    ['of the object that is told of', { ...ofDeployment }, 'shop'],
    ['not of kube-state-metrics, for a node', { ...ofDeployment, deployment: '', node: 'k8s-3' }, undefined],
    [
      'not of the exporter of a machine',
      { namespace: 'tools', pod: 'node-exporter-x7', instance: 'db-1:9100' },
      undefined,
    ],
    [
      'not of a prober',
      { namespace: 'tools', pod: 'blackbox-exporter-1', instance: 'https://shop.example' },
      undefined,
    ],
    ['not of the gateway', { namespace: 'tools', pod: 'gw-0', exported_instance: 'db-1' }, undefined],
    ['that was renamed', { namespace: 'tools', exported_namespace: 'shop' }, 'shop'],
    ['of OpenTelemetry', { k8s_namespace_name: 'web' }, 'web'],
    ['of OpenTelemetry with dots', { 'k8s.namespace.name': 'web' }, 'web'],
    ['not without a value', { namespace: '<no value>' }, undefined],
  ])('the application is the namespace %s', (_what, labels, application) => {
    expect(draftOf('prometheus', labelled(labels)).application).toBe(application);
  });

  test('objects are known as OpenTelemetry calls them, and by the job that was pushed', () => {
    const otel = { k8s_namespace_name: 'web', 'k8s.pod.name': 'shop-1', 'service.name': 'shop' };
    expect(draftOf('prometheus', labelled(otel))).toMatchObject({
      ciHints: ['web/shop-1', 'shop-1', 'k8s:*/pod/web/shop-1'],
      service: 'shop',
    });
    expect(draftOf('prometheus', labelled({ job: 'pushgateway', exported_job: 'backup' })).ciHints).toEqual(['backup']);
  });

  test('a label that says nothing is no tag, but a severity may be none', () => {
    const labels = { host: '[no value]', team: 'n/a', zone: '-', severity: 'none', rack: '7' };
    expect(draftOf('prometheus', labelled(labels)).tags).toEqual(['alertname:A', 'severity:none', 'rack:7']);
  });

  test.each([
    ['kps-kube-state-metrics', undefined],
    ['kps-kubelet', undefined],
    ['prometheus-node-exporter', undefined],
    ['node-exporter-proxy', 'node-exporter-proxy'],
    ['checkout', 'checkout'],
  ])('label service=%s is the service %p', (service, ours) => {
    expect(draftOf('prometheus', labelled({ service })).service).toBe(ours);
  });

  test.each<[string, readonly string[] | undefined, boolean]>([
    ['prometheus_replica', undefined, true],
    ['replica', undefined, true],
    ['dc', undefined, false],
    ['dc', ['dc'], true],
    ['replica', [], false],
  ])(
    'two alerts that differ in the label %s, of which %p make no condition: the same one is %p',
    (name, replicaLabels, same) => {
      const settings = replicaLabels === undefined ? {} : { replicaLabels };
      const said = ['1', '2'].map((replica) =>
        actionOf('prometheus', labelled({ [name]: replica }, replica), settings),
      );
      const conditions = said.map((action) => ('conditionId' in action ? action.conditionId : null));
      expect(conditions[0]).toMatch(same ? /^prometheus:[0-9a-f]{16}$/ : /^prometheus:1$/);
      expect(conditions[0] === conditions[1]).toBe(same);
    },
  );

  test('the label of a replica is no tag', () => {
    expect(draftOf('prometheus', labelled({ prometheus_replica: 'a' })).tags).toEqual(['alertname:A']);
  });

  test('a label without a value is no tag', () => {
    expect(draftOf('prometheus', labelled({ severity: '', team: ' ', zone: 'b' })).tags).toEqual([
      'alertname:A',
      'zone:b',
    ]);
  });

  test('alerts that the sender dropped are counted', () => {
    expect(readAs('prometheus', { ...alertmanagerMessage, truncatedAlerts: 17 }).dropped).toBe(17);
    expect(readAs('prometheus', alertmanagerMessage).dropped).toBeUndefined();
  });

  test('falls back to the name of the alert, and refuses an alert without anything', () => {
    expect(draftOf('prometheus', of({ annotations: null })).title).toBe('TargetDown');
    expect(readAs('prometheus', { alerts: [{ status: 'firing' }] }).items[0]?.ok).toBe(false);
  });

  test('a state that nobody knows is told, and is no further problem', () => {
    expect(actionOf('prometheus', of({ status: 'purple' }))).toMatchObject({
      action: 'update',
      draft: { details: { unknownState: 'purple' }, tags: expect.arrayContaining(['unknown-state']) },
    });
  });

  test.each([[{ text: 'custom' }], [{ alerts: 'x' }], ['text'], [null], [[]], [[1]]])(
    '%p is refused with the name of the default format',
    (body) => {
      expect(() => readAs('prometheus', body)).toThrow(/default Alertmanager webhook body.*"payload"/);
    },
  );
});
