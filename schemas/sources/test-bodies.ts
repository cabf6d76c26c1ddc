/** A test post of each monitor: an event of a host that does not exist, to see that posts arrive. */
import { sourceNamed } from './sources.ts';

export interface TestOf {
  /** No two tests have the same. */
  readonly serial: string;
  /** ms. */
  readonly at: number;
  /** Its description of itself. */
  readonly what: string;
}
interface TestBody {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const HOST = 'faultline-test';
/** No digits and no hex, which titles are compared without. */
const LETTERS = 'ghjkmnpqrstvwxyz';
const wordOf = (serial: string): string =>
  serial.slice(-8).replace(/./g, (sign) => LETTERS.charAt(sign.charCodeAt(0) % 16));
/** In quotes, so that no two are the same complaint. */
const titleOf = ({ serial }: TestOf): string => `Test of Faultline "${wordOf(serial)}"`;
const iso = ({ at }: TestOf): string => new Date(at).toISOString();
const seconds = ({ at }: TestOf): number => Math.floor(at / 1_000);

const alerts = (test: TestOf) => ({
  version: '4',
  status: 'firing',
  receiver: 'faultline',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'FaultlineTest', host: HOST, severity: 'info', serial: test.serial },
      annotations: { summary: titleOf(test), description: test.what },
      startsAt: iso(test),
      fingerprint: test.serial,
    },
  ],
});
const alarm = (test: TestOf) => ({
  version: '0',
  id: test.serial,
  'detail-type': 'CloudWatch Alarm State Change',
  source: 'aws.cloudwatch',
  time: iso(test),
  region: 'us-east-1',
  resources: [`arn:aws:cloudwatch:us-east-1:000000000000:alarm:${test.serial}`],
  detail: {
    alarmName: titleOf(test),
    configuration: { description: `${test.what} [severity=info]` },
    state: { value: 'ALARM', reason: test.what, timestamp: iso(test) },
  },
});
const azure = (test: TestOf) => ({
  schemaId: 'azureMonitorCommonAlertSchema',
  data: {
    essentials: {
      alertId: `/subscriptions/0/providers/Microsoft.AlertsManagement/alerts/${test.serial}`,
      alertRule: titleOf(test),
      severity: 'Sev4',
      signalType: 'Metric',
      monitorCondition: 'Fired',
      configurationItems: [HOST],
      firedDateTime: iso(test),
      description: test.what,
    },
    alertContext: {},
  },
});
const incident = (test: TestOf) => ({
  version: '1.2',
  incident: {
    incident_id: test.serial,
    state: 'open',
    severity: 'Warning',
    started_at: seconds(test),
    summary: titleOf(test),
    resource: { type: 'gce_instance', labels: { instance_name: HOST } },
    policy_name: titleOf(test),
    documentation: { content: test.what },
  },
});
const logs = (test: TestOf) => ({
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'host.name', value: { stringValue: HOST } }] },
      scopeLogs: [
        {
          logRecords: [
            {
              timeUnixNano: `${test.at}000000`,
              severityNumber: 17,
              body: { stringValue: `${titleOf(test)}\n${test.what}` },
            },
          ],
        },
      ],
    },
  ],
});

const BODIES: Readonly<Record<string, (test: TestOf) => object>> = {
  nagios: (test) => ({
    notification_type: 'PROBLEM',
    hostname: HOST,
    service: titleOf(test),
    service_state: 'WARNING',
    service_output: test.what,
    timestamp: seconds(test),
  }),
  zabbix: (test) => ({
    event_id: test.serial,
    trigger_id: test.serial,
    trigger_name: titleOf(test),
    trigger_description: test.what,
    hostname: HOST,
    severity: '1',
    event_value: '1',
    event_update_status: '0',
    timestamp: String(seconds(test)),
  }),
  prometheus: alerts,
  grafana: (test) => ({ ...alerts(test), version: '1', orgId: 1, state: 'alerting' }),
  cloudwatch: alarm,
  azure,
  gcp: incident,
  datadog: (test) => ({
    id: test.serial,
    alert_cycle_key: test.serial,
    alert_transition: 'Triggered',
    alert_type: 'info',
    alert_priority: 'P5',
    title: titleOf(test),
    hostname: HOST,
    date: String(test.at),
    body: test.what,
  }),
  pagerduty: (test) => ({
    event_action: 'trigger',
    dedup_key: test.serial,
    payload: { summary: titleOf(test), source: HOST, severity: 'info', custom_details: { description: test.what } },
  }),
  cloudevents: (test) => ({
    specversion: '1.0',
    id: test.serial,
    source: '/faultline/test',
    type: 'org.faultline.alert.firing',
    subject: test.serial,
    time: iso(test),
    data: { title: titleOf(test), severity: 'info', hostname: HOST, description: test.what },
  }),
  otel: logs,
};

/** Throws for what is no source. */
export function testBodyOf(name: string, test: TestOf): TestBody {
  const make = BODIES[sourceNamed(name)?.name ?? ''];
  if (make === undefined) throw new Error(`no test body of ${name}`);
  return { body: make(test), headers: { 'content-type': 'application/json' } };
}
