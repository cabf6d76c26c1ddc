import { describe, expect, test } from '@jest/globals';
import {
  actionOf,
  alarmMessage,
  alert,
  alertmanagerMessage,
  azureAlert,
  bridgeAlarm,
  cloudEvent,
  datadogAlert,
  gcpIncident,
  grafanaLegacy,
  nagiosProblem,
  pagerdutyTrigger,
  zabbixProblem,
} from './samples-for-tests.ts';

/**
 * Condition names of a monitor are trusted: the key that each source uses, and the changes that retain or replace it.
 */

type Body = Record<string, unknown>;
const conditionOf = (source: string, body: unknown): string | null => {
  const action = actionOf(source, body);
  if (!('conditionId' in action)) throw new Error(`asks ${action.action}`);
  return action.conditionId;
};
const alerts = (changes: Body, labels: Body = {}) => ({
  ...alertmanagerMessage,
  alerts: [{ ...alert, fingerprint: undefined, ...changes, labels: { ...alert.labels, ...labels } }],
});
const essentials = (changes: Body) => ({
  ...azureAlert,
  data: { ...azureAlert.data, essentials: { ...azureAlert.data.essentials, ...changes } },
});
const incident = (changes: Body) => ({ ...gcpIncident, incident: { ...gcpIncident.incident, ...changes } });
const payload = (changes: Body, key: Body = {}) => ({
  ...pagerdutyTrigger,
  ...key,
  payload: { ...pagerdutyTrigger.payload, ...changes },
});
const { AlarmArn: _arn, ...unnamed } = alarmMessage;
const { alert_cycle_key: _cycle, ...uncycled } = datadogAlert;

const KEYS: readonly (readonly [what: string, source: string, body: unknown, same: unknown[], other: unknown[]])[] = [
  [
    'Alertmanager: fingerprint',
    'prometheus',
    alerts({ fingerprint: 'aa' }),
    [
      alerts({ fingerprint: 'aa', status: 'resolved' }),
      alerts({ fingerprint: 'aa', startsAt: '2026-11-21T07:00:00Z' }),
    ],
    [alerts({ fingerprint: 'ab' })],
  ],
  [
    'Alertmanager: labels where there is no fingerprint',
    'prometheus',
    alerts({}, { mountpoint: '/var' }),
    [
      alerts({ status: 'resolved' }, { mountpoint: '/var' }),
      alerts({ annotations: { summary: 'x' } }, { mountpoint: '/var' }),
    ],
    [alerts({}, { mountpoint: '/srv' }), alerts({}, { mountpoint: '/var', device: 'sda' })],
  ],
  [
    'Grafana: rule of a dashboard',
    'grafana',
    grafanaLegacy,
    [
      { ...grafanaLegacy, state: 'ok', evalMatches: [] },
      { ...grafanaLegacy, title: 'x' },
    ],
    [
      { ...grafanaLegacy, ruleId: 43 },
      { ...grafanaLegacy, orgId: 4 },
    ],
  ],
  [
    'PagerDuty: dedup key',
    'pagerduty',
    payload({}),
    [payload({ summary: 'other words' }), { event_action: 'resolve', dedup_key: pagerdutyTrigger.dedup_key }],
    [payload({}, { dedup_key: 'backup/weekly' })],
  ],
  [
    'PagerDuty: system and part where there is no key',
    'pagerduty',
    payload({}, { dedup_key: undefined }),
    [payload({ severity: 'info', timestamp: '2026-11-21T07:00:00Z' }, { dedup_key: undefined })],
    [payload({ component: 'db' }, { dedup_key: undefined }), payload({ source: 'b-2' }, { dedup_key: undefined })],
  ],
  [
    'Datadog: cycle key',
    'datadog',
    datadogAlert,
    [
      { ...datadogAlert, alert_transition: 'Recovered' },
      { ...datadogAlert, alert_transition: 'Warn', id: '778' },
    ],
    [{ ...datadogAlert, alert_cycle_key: '1795242101000' }],
  ],
  [
    'Datadog: monitor and group where there is no cycle key',
    'datadog',
    { ...uncycled, alert_id: '9' },
    [{ ...uncycled, alert_id: '9', alert_transition: 'Recovered', id: '778' }],
    [
      { ...uncycled, alert_id: '9', alert_scope: 'host:cache-2' },
      { ...uncycled, alert_id: '10' },
    ],
  ],
  [
    'Azure: alertId in any case',
    'azure',
    azureAlert,
    [
      essentials({ monitorCondition: 'Resolved' }),
      essentials({ alertId: azureAlert.data.essentials.alertId.toUpperCase() }),
    ],
    [essentials({ alertId: `${azureAlert.data.essentials.alertId}2` })],
  ],
  [
    'Google Cloud: incident',
    'gcp',
    gcpIncident,
    [incident({ state: 'closed' }), incident({ severity: 'Critical', observed_value: '9' })],
    [incident({ incident_id: '0.abd' })],
  ],
  [
    'CloudWatch: alarm, by its ARN',
    'cloudwatch',
    alarmMessage,
    [
      { ...alarmMessage, NewStateValue: 'OK' },
      { ...bridgeAlarm, detail: { ...bridgeAlarm.detail, configuration: {} } },
    ],
    [
      { ...alarmMessage, AlarmArn: alarmMessage.AlarmArn.replace('us-east-1', 'eu-west-1') },
      { ...alarmMessage, AlarmContributorId: '1' },
    ],
  ],
  [
    'CloudWatch: account, region and name where there is no ARN',
    'cloudwatch',
    unnamed,
    [{ ...unnamed, NewStateValue: 'OK' }],
    [
      { ...unnamed, Region: 'EU (Ireland)' },
      { ...unnamed, AWSAccountId: '1' },
      { ...unnamed, AlarmName: 'web-4xx' },
    ],
  ],
  [
    'Nagios: host and service, never the problem or the state',
    'nagios',
    nagiosProblem,
    [
      { ...nagiosProblem, notification_type: 'RECOVERY', state: 'OK' },
      { ...nagiosProblem, state: 'WARNING', service_problem_id: '7' },
    ],
    [
      { ...nagiosProblem, service: 'IMAP' },
      { ...nagiosProblem, hostname: 'mail-03' },
      { ...nagiosProblem, service: '' },
    ],
  ],
  [
    'Zabbix: problem',
    'zabbix',
    zabbixProblem,
    [
      { ...zabbixProblem, event_value: '0', recovery_event_id: '88013' },
      { ...zabbixProblem, severity: '5' },
    ],
    [{ ...zabbixProblem, event_id: '88014' }],
  ],
  [
    'CloudEvents: source and subject',
    'cloudevents',
    cloudEvent,
    [{ ...cloudEvent, id: 'e-9', type: 'x.resolved' }],
    [
      { ...cloudEvent, subject: 'leg' },
      { ...cloudEvent, source: '/robots/8' },
    ],
  ],
];

describe.each(KEYS)('%s', (_what, source, body, same, other) => {
  const key = conditionOf(source, body);
  test('is the condition', () => expect(key).toMatch(/^[a-z]+:./));
  test.each(same.map((one) => [one]))('stays the same with %j', (one) => expect(conditionOf(source, one)).toBe(key));
  test.each(other.map((one) => [one]))('is another with %j', (one) => expect(conditionOf(source, one)).not.toBe(key));
});
