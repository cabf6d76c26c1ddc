/** Bodies as monitors post them, and helpers to read them; used by tests only. */
import type { EventDraft, MonitorAction } from '#domain/event/draft.ts';
import type { Delivered, InboundSettings, SourceReading } from './kit/source.ts';
import { sourceNamed } from './sources.ts';

/** 2026-11-21T08:00:00Z: after all samples. */
export const RECEIVED = Date.UTC(2026, 10, 21, 8);
const NO_SETTINGS: InboundSettings = {
  severities: {},
  snsTopics: [],
  replicaLabels: ['prometheus_replica', 'replica'],
  alerts: [],
  durations: new Map(),
};

export type Options = Partial<InboundSettings> & Partial<Omit<Delivered, 'body'>>;

export function readAs(name: string, body: unknown, options: Options = {}): SourceReading {
  const source = sourceNamed(name);
  if (!source) throw new Error(`no source ${name}`);
  const { headers = {}, receivedAt = RECEIVED, ...settings } = options;
  return source.read({ body, headers, receivedAt }, { ...NO_SETTINGS, ...settings });
}

/** The only action of a body; throws with the item's error when it is bad. */
export function actionOf(name: string, body: unknown, options: Options = {}): MonitorAction {
  const { items } = readAs(name, body, options);
  const [item] = items;
  if (items.length !== 1 || item === undefined) throw new Error(`${items.length} items`);
  if (!item.ok) throw new Error(item.error);
  return item.action;
}

/** The draft of a body that opens an event. */
export function draftOf(name: string, body: unknown, options: Options = {}): EventDraft {
  const action = actionOf(name, body, options);
  if (action.action !== 'open') throw new Error(`asks ${action.action}`);
  return action.draft;
}

export const nagiosProblem = {
  notification_type: 'PROBLEM',
  hostname: 'mail-02',
  service: 'SMTP',
  state: 'CRITICAL',
  output: 'SMTP CRITICAL - 12.4 sec. response time',
  timestamp: 1795200000,
};

export const icingaProblem = {
  notification_type: 'Problem',
  host: { name: 'edge-03.ams', display_name: 'edge-03', address: '2001:db8::17' },
  service: { name: 'ntp', display_name: 'NTP offset' },
  check_result: {
    state: 1,
    state_type: 1,
    attempt: 5,
    output: 'NTP WARNING: offset 0.9 s',
    execution_end: 1795200011.25,
  },
};

export const zabbixProblem = {
  event_id: '88012',
  trigger_id: '19033',
  trigger_name: 'Free disk space is less than 20% on volume /var',
  trigger_description: 'Clean up or grow the volume.',
  hostname: 'files-01',
  host_ip: '10.4.0.8',
  severity: '3',
  event_value: '1',
  event_update_status: '0',
  event_ack_status: 'No',
  timestamp: '1795200100',
  event_tags: '[{"tag":"service","value":"files"},{"tag":"env","value":"prod"}]',
};

export const alert = {
  status: 'firing',
  labels: { alertname: 'TargetDown', instance: '10.9.0.4:9182', job: 'windows', severity: 'page', namespace: 'shop' },
  annotations: { summary: 'Target is down', description: 'No scrape for <b>5</b> minutes' },
  startsAt: '2026-11-21T06:00:00.123456789Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus.example/graph',
  fingerprint: '00aa11bb22cc33dd',
};
export const alertmanagerMessage = {
  version: '4',
  groupKey: '{}:{alertname="TargetDown"}',
  status: 'firing',
  receiver: 'faultline',
  truncatedAlerts: 0,
  commonLabels: { alertname: 'TargetDown' },
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example',
  alerts: [alert],
};

export const grafanaLegacy = {
  title: '[Alerting] Queue length',
  ruleId: 42,
  ruleName: 'Queue length',
  ruleUrl: 'https://grafana.example/d/q?panelId=1',
  state: 'alerting',
  orgId: 3,
  evalMatches: [{ value: 912, metric: 'depth', tags: { host: 'rabbit-1' } }],
  tags: { severity: 'high' },
  message: 'Consumers are behind',
};

export const ALARM_ARN = 'arn:aws:cloudwatch:us-east-1:210987654321:alarm:web-5xx';
export const alarmMessage = {
  AlarmName: 'web-5xx',
  AlarmDescription: 'Too many errors at the balancer',
  AWSAccountId: '210987654321',
  NewStateValue: 'ALARM',
  NewStateReason: 'Threshold Crossed: 1 datapoint [31.0] was greater than the threshold (10.0).',
  StateChangeTime: '2026-11-21T06:10:00.000+0000',
  Region: 'US East (N. Virginia)',
  AlarmArn: ALARM_ARN,
  OldStateValue: 'OK',
  Trigger: {
    MetricName: 'HTTPCode_ELB_5XX_Count',
    Namespace: 'AWS/ApplicationELB',
    Dimensions: [{ name: 'LoadBalancer', value: 'app/web/0123456789abcdef' }],
    Threshold: 10,
  },
};
export const TOPIC = 'arn:aws:sns:us-east-1:210987654321:ops';
export const snsNotification = (message: unknown, more: Record<string, unknown> = {}) => ({
  Type: 'Notification',
  MessageId: '5f1a0d0c-0000-5000-8000-000000000001',
  TopicArn: TOPIC,
  Subject: 'ALARM: "web-5xx"',
  Message: typeof message === 'string' ? message : JSON.stringify(message),
  Timestamp: '2026-11-21T06:10:01.000Z',
  SignatureVersion: '1',
  Signature: 'c2lnbmF0dXJl',
  SigningCertURL: 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0.pem',
  ...more,
});
export const bridgeAlarm = {
  version: '0',
  id: 'b6c3e1a2-0000-4000-8000-000000000002',
  'detail-type': 'CloudWatch Alarm State Change',
  source: 'aws.cloudwatch',
  account: '210987654321',
  time: '2026-11-21T06:10:00Z',
  region: 'us-east-1',
  resources: [ALARM_ARN],
  detail: {
    alarmName: 'web-5xx',
    configuration: {
      description: 'Errors',
      metrics: [
        {
          id: 'm1',
          metricStat: {
            metric: { namespace: 'AWS/EC2', name: 'StatusCheckFailed', dimensions: { InstanceId: 'i-0f00' } },
          },
        },
      ],
    },
    state: { value: 'ALARM', reason: 'Threshold Crossed', timestamp: '2026-11-21T06:10:00.000+0000' },
    alarmTags: { severity: 'P1', service: 'web' },
  },
};

const ALERT_ID = '/subscriptions/0aaaaaaa-0000-4000-8000-000000000000/providers/Microsoft.AlertsManagement/alerts/a1b2';
export const azureAlert = {
  schemaId: 'azureMonitorCommonAlertSchema',
  data: {
    essentials: {
      alertId: ALERT_ID,
      alertRule: 'Heartbeat lost',
      severity: 'Sev0',
      signalType: 'Log',
      monitorCondition: 'Fired',
      monitoringService: 'Log Alerts V2',
      alertTargetIDs: [
        '/subscriptions/0aaaaaaa-0000-4000-8000-000000000000/resourceGroups/RG/providers/Microsoft.OperationalInsights/workspaces/Logs',
      ],
      configurationItems: [],
      firedDateTime: '2026-11-21T06:20:00.1234567Z',
      description: 'No heartbeat for 10 minutes',
    },
    alertContext: {
      conditionType: 'LogQueryCriteria',
      condition: {
        allOf: [
          {
            searchQuery: 'Heartbeat',
            threshold: '0',
            operator: 'GreaterThan',
            metricValue: 1,
            dimensions: [{ name: 'Computer', value: 'win-07.corp.example' }],
          },
        ],
      },
    },
    customProperties: { environment: 'production' },
  },
};

export const gcpIncident = {
  version: '1.2',
  incident: {
    incident_id: '0.abc',
    state: 'open',
    severity: 'Error',
    started_at: 1795242000,
    ended_at: null,
    summary: 'Uptime check failed',
    resource: { type: 'uptime_url', labels: { host: 'shop.example', project_id: 'p' } },
    policy_name: 'Uptime',
    condition_name: 'Failure of shop',
    policy_user_labels: { service: 'shop' },
    url: 'https://console.cloud.google.com/x',
  },
};

export const datadogAlert = {
  id: '777',
  alert_cycle_key: '1795242100999',
  alert_transition: 'Triggered',
  alert_type: 'error',
  alert_priority: 'P3',
  title: '[P3] [Triggered on {host:cache-1}] Redis memory high',
  hostname: 'cache-1',
  tags: 'env:prod,service:cache',
  alert_scope: 'host:cache-1',
  date: '1795242100000',
  body: '%%%\nUse more shards\n%%%',
};

export const pagerdutyTrigger = {
  routing_key: 'R'.repeat(32),
  event_action: 'trigger',
  dedup_key: 'backup/nightly',
  payload: {
    summary: 'Nightly backup failed',
    source: 'backup-1',
    severity: 'error',
    component: 'borg',
    class: 'backup',
    custom_details: { service: 'backup' },
  },
};

const listed = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` - ${name} = ${value}\n`)
    .join('');
/** The post of the PagerDuty receiver of Alertmanager with its default templates. */
export const alertmanagerPage = (alerts: readonly Readonly<Record<string, string>>[], dedup_key = 'a1b2c3') => ({
  routing_key: 'R'.repeat(32),
  dedup_key,
  event_action: 'trigger',
  payload: {
    summary: `[FIRING:${alerts.length}] ${alerts[0]?.alertname ?? ''} (node page)`,
    source: 'Alertmanager',
    severity: 'error',
    custom_details: {
      firing: alerts
        .map(
          (labels) =>
            `Labels:\n${listed(labels)}Annotations:\n${listed({ summary: 'Node is down' })}Source: http://prometheus:9090/graph\n`,
        )
        .join(''),
      num_firing: String(alerts.length),
      num_resolved: '0',
      resolved: '',
    },
  },
  client: 'Alertmanager',
  client_url: 'http://alertmanager:9093/#/alerts?receiver=faultline',
});

export const cloudEvent = {
  specversion: '1.0',
  id: 'e-1',
  source: '/robots/7',
  type: 'com.example.robot.alert.firing.v1',
  subject: 'arm',
  time: '2026-11-21T06:30:00Z',
  data: { severity: 'high', title: 'Arm is stuck', hostname: 'robot-7', labels: { team: 'plant' } },
};

const string = (value: string) => ({ stringValue: value });
export const otelLogs = {
  resourceLogs: [
    {
      resource: {
        attributes: [
          { key: 'service.name', value: string('cart') },
          { key: 'host.name', value: string('app-9') },
          { key: 'host.id', value: string('i-0aa') },
        ],
      },
      scopeLogs: [
        {
          scope: { name: 'cart' },
          logRecords: [
            { timeUnixNano: '1795242600000000000', severityNumber: 9, severityText: 'INFO', body: string('started') },
            {
              timeUnixNano: '1795242601000000000',
              severityNumber: 21,
              severityText: 'FATAL',
              body: string('out of memory\nat heap'),
              traceId: 'aa',
            },
          ],
        },
      ],
    },
  ],
};

/** One good body per source. */
export const SAMPLES: readonly (readonly [source: string, body: unknown])[] = [
  ['nagios', nagiosProblem],
  ['icinga2', icingaProblem],
  ['zabbix', zabbixProblem],
  ['prometheus', alertmanagerMessage],
  ['grafana', { ...alertmanagerMessage, version: '1', orgId: 1, state: 'alerting' }],
  ['grafana', grafanaLegacy],
  ['cloudwatch', snsNotification(alarmMessage)],
  ['cloudwatch', bridgeAlarm],
  ['cloudwatch', alarmMessage],
  ['azure', azureAlert],
  ['gcp', gcpIncident],
  ['datadog', datadogAlert],
  ['pagerduty', pagerdutyTrigger],
  ['pagerduty', alertmanagerPage([{ alertname: 'NodeDown', instance: '10.0.0.7:9100' }])],
  ['cloudevents', cloudEvent],
  ['otel', otelLogs],
];
