import { describe, expect, test } from '@jest/globals';
import { actionOf, alert, alertmanagerMessage, draftOf, grafanaLegacy, readAs } from '../samples-for-tests.ts';

const unified = (changes: Record<string, unknown>) => ({
  ...alertmanagerMessage,
  version: '1',
  orgId: 1,
  state: 'alerting',
  alerts: [{ ...alert, ...changes }],
});

describe('Grafana', () => {
  test('an alert of unified alerting', () => {
    const values = { A: 91.2, B: 1 };
    expect(actionOf('grafana', unified({ values, panelURL: 'https://grafana.example/d/1?viewPanel=2' }))).toMatchObject(
      {
        action: 'open',
        conditionId: 'grafana:00aa11bb22cc33dd',
        draft: {
          source: 'grafana',
          severity: 'critical',
          details: { values, panelURL: 'https://grafana.example/d/1?viewPanel=2', orgId: '1' },
        },
      },
    );
    expect(actionOf('grafana', unified({ status: 'resolved', endsAt: '2026-11-21T07:00:00Z' }))).toMatchObject({
      action: 'resolve',
      conditionId: 'grafana:00aa11bb22cc33dd',
      at: Date.UTC(2026, 10, 21, 7),
    });
  });

  test('a broken rule is an alert', () => {
    const labels = { alertname: 'DatasourceNoData', rulename: 'CPU', datasource_uid: 'x' };
    expect(draftOf('grafana', unified({ labels, annotations: {} }))).toMatchObject({
      title: 'DatasourceNoData: CPU',
      severity: 'warning',
    });
  });

  test.each([['DatasourceNoData'], ['DatasourceError']])('%s is not what its rule would say', (alertname) => {
    const labels = { alertname, rulename: 'Mem', datasource_uid: 'P1', ref_id: 'A', severity: 'critical' };
    const annotations = { summary: 'Memory above 90%', description: 'See the runbook' };
    expect(draftOf('grafana', unified({ labels, annotations }))).toMatchObject({
      title: `${alertname}: Mem`,
      description: 'Memory above 90%\nSee the runbook',
    });
  });

  test('a legacy dashboard alert', () => {
    expect(actionOf('grafana', grafanaLegacy)).toMatchObject({
      action: 'open',
      conditionId: 'grafana:3/42',
      draft: { severity: 'major', title: 'Queue length', description: 'Consumers are behind', hostname: 'rabbit-1' },
    });
  });

  test.each([
    ['ok', 'resolve'],
    ['no_data', 'open'],
    ['alerting', 'open'],
    ['paused', 'ignore'],
    ['pending', 'ignore'],
    ['odd', 'update'],
  ])('legacy state %s asks to %s', (state, asked) => {
    expect(actionOf('grafana', { ...grafanaLegacy, state }).action).toBe(asked);
  });

  test('a custom payload is refused with the name of the default one', () => {
    expect(() => readAs('grafana', { message: 'x' })).toThrow(/default webhook body of a Grafana contact point/);
  });

  test.each([
    ['that all values name', ['web-5:9100', 'web-5:9100'], 'web-5'],
    ['of which two are named', ['web-5:9100', 'web-6:9100'], undefined],
  ])('without a label the host is the one %s', (_what, [a, b], hostname) => {
    const valueString = `[ var='A' labels={instance=${a}, job=node} value=1.2e+09 ], [ var='B' labels={instance=${b}, job=node} value=0 ], [ var='C' labels={} value=1 ]`;
    const labels = { team: 'shop', grafana_folder: 'machines' };
    expect(draftOf('grafana', unified({ labels, valueString })).hostname).toBe(hostname);
    expect(draftOf('grafana', unified({ labels: { ...labels, host: 'db-1' }, valueString })).hostname).toBe('db-1');
  });

  test('a legacy rule is about a machine when all of its series are', () => {
    const of = (...hosts: string[]) =>
      draftOf('grafana', { ...grafanaLegacy, evalMatches: hosts.map((host) => ({ metric: host, tags: { host } })) });
    expect(of('rabbit-1', 'rabbit-1').hostname).toBe('rabbit-1');
    expect(of('rabbit-1', 'rabbit-2')).toMatchObject({ tags: ['severity:high', 'host:rabbit-1', 'host:rabbit-2'] });
    expect(of('rabbit-1', 'rabbit-2').hostname).toBeUndefined();
  });
});
