/**
 * Bodies of the monitoring systems as the OpenAPI document shows them. Reading is more lenient (`Source.read`): it takes other
 * spellings, and a field of another type counts as absent; so every field is optional here and further ones are allowed.
 */
import { z } from 'zod';

const text = z.string().optional();
const number = z.number().optional();
const texts = z.record(z.string(), z.string()).optional();
/** Icinga 2 may send its whole objects. */
const textOrObject = z.union([z.string(), z.record(z.string(), z.unknown())]).optional();
const anything = z.record(z.string(), z.unknown()).optional();
const body = <S extends z.ZodRawShape>(id: string, shape: S, example: object) =>
  z.looseObject(shape).meta({ id, example });

const AlertmanagerAlert = z
  .looseObject({
    status: z.enum(['firing', 'resolved']).optional(),
    labels: texts,
    annotations: texts,
    startsAt: text,
    endsAt: text,
    generatorURL: text,
    fingerprint: text,
  })
  .meta({ id: 'AlertmanagerAlert' });
const alert = {
  status: 'firing',
  labels: { alertname: 'TargetDown', instance: 'sw-1:9100', job: 'node', severity: 'critical' },
  annotations: { summary: 'Target is down', description: 'No scrape for 5 minutes' },
  startsAt: '2026-11-21T11:38:17.885Z',
  fingerprint: '00aa11bb22cc33dd',
};

const prometheus = body(
  'AlertmanagerBody',
  {
    version: text,
    groupKey: text,
    status: text,
    receiver: text,
    truncatedAlerts: number,
    commonLabels: texts,
    commonAnnotations: texts,
    externalURL: text,
    alerts: z.array(AlertmanagerAlert).optional(),
  },
  { version: '4', status: 'firing', receiver: 'faultline', alerts: [alert] },
);

const grafana = body(
  'GrafanaBody',
  { orgId: number, title: text, state: text, message: text, alerts: z.array(AlertmanagerAlert).optional() },
  { version: '1', orgId: 1, state: 'alerting', alerts: [alert] },
);

const nagios = body(
  'NagiosNotification',
  {
    notification_type: text,
    hostname: text,
    address: text,
    host: textOrObject,
    service: textOrObject,
    state: text,
    output: text,
    long_output: text,
    author: text,
    comment: text,
    timestamp: z.union([z.number(), z.string()]).optional(),
  },
  {
    notification_type: 'PROBLEM',
    hostname: 'mail-02',
    service: 'SMTP',
    state: 'CRITICAL',
    output: 'SMTP CRITICAL - 12.4 s response time',
    timestamp: 1_795_261_097,
  },
);

const zabbix = body(
  'ZabbixNotification',
  {
    event_id: text,
    trigger_id: text,
    trigger_name: text,
    trigger_description: text,
    hostname: text,
    host_ip: text,
    severity: text,
    event_value: text,
    event_update_status: text,
    event_tags: text,
    timestamp: z.union([z.number(), z.string()]).optional(),
  },
  {
    event_id: '88012',
    trigger_id: '19033',
    trigger_name: 'Free disk space is less than 20% on volume /var',
    hostname: 'files-01',
    severity: '3',
    event_value: '1',
    timestamp: '1795261097',
  },
);

const cloudwatch = body(
  'CloudWatchBody',
  {
    Type: text,
    MessageId: text,
    TopicArn: text,
    Subject: text,
    Message: text,
    Timestamp: text,
    SignatureVersion: text,
    Signature: text,
    SigningCertURL: text,
    SubscribeURL: text,
    source: text,
    'detail-type': text,
    detail: anything,
    AlarmName: text,
    NewStateValue: text,
  },
  {
    source: 'aws.cloudwatch',
    'detail-type': 'CloudWatch Alarm State Change',
    account: '210987654321',
    time: '2026-11-21T11:38:17Z',
    region: 'us-east-1',
    detail: { alarmName: 'web-5xx', state: { value: 'ALARM', reason: 'Threshold Crossed' } },
  },
);

const azure = body(
  'AzureMonitorBody',
  {
    schemaId: text,
    data: z.looseObject({ essentials: anything, alertContext: anything, customProperties: anything }).optional(),
  },
  {
    schemaId: 'azureMonitorCommonAlertSchema',
    data: {
      essentials: {
        alertId: '/subscriptions/0aaaaaaa/providers/Microsoft.AlertsManagement/alerts/a1b2',
        alertRule: 'Heartbeat lost',
        severity: 'Sev0',
        monitorCondition: 'Fired',
        firedDateTime: '2026-11-21T11:38:17Z',
      },
    },
  },
);

const gcp = body(
  'GoogleCloudBody',
  { version: text, incident: anything },
  {
    version: '1.2',
    incident: { incident_id: '0.abc', state: 'open', severity: 'Error', summary: 'Uptime check failed' },
  },
);

const datadog = body(
  'DatadogBody',
  {
    id: text,
    alert_cycle_key: text,
    alert_transition: text,
    alert_type: text,
    alert_priority: text,
    title: text,
    hostname: text,
    tags: text,
    alert_scope: text,
    date: text,
    body: text,
  },
  {
    id: '777',
    alert_cycle_key: '1795261097999',
    alert_transition: 'Triggered',
    alert_type: 'error',
    title: 'Redis memory high',
    hostname: 'cache-1',
    tags: 'env:prod,service:cache',
  },
);

const pagerduty = body(
  'PagerDutyBody',
  { routing_key: text, event_action: text, dedup_key: text, payload: anything },
  {
    routing_key: 'any',
    event_action: 'trigger',
    dedup_key: 'backup/nightly',
    payload: { summary: 'Nightly backup failed', source: 'backup-1', severity: 'error' },
  },
);

const cloudevents = body(
  'CloudEventBody',
  { specversion: text, id: text, source: text, type: text, subject: text, time: text, data: z.unknown() },
  {
    specversion: '1.0',
    id: 'e-1',
    source: '/robots/7',
    type: 'com.example.robot.alert.firing.v1',
    time: '2026-11-21T11:38:17Z',
    data: { severity: 'high', title: 'Arm is stuck', hostname: 'robot-7' },
  },
);

const otel = body(
  'OtlpLogsBody',
  { resourceLogs: z.array(z.record(z.string(), z.unknown())).optional() },
  {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'host.name', value: { stringValue: 'app-9' } }] },
        scopeLogs: [
          {
            logRecords: [
              {
                timeUnixNano: '1795261097000000000',
                severityNumber: 21,
                severityText: 'FATAL',
                body: { stringValue: 'out of memory' },
              },
            ],
          },
        ],
      },
    ],
  },
);

/** One for each source; several bodies of a source may come as a list. */
export const BODIES = {
  prometheus,
  nagios,
  zabbix,
  cloudwatch,
  azure,
  gcp,
  datadog,
  grafana,
  pagerduty,
  cloudevents,
  otel,
} as const satisfies Readonly<Record<string, z.ZodType>>;

const shapes = Object.values(BODIES);
const one = z.union([...shapes]);

/** Whatever may be posted to `/api/events/webhook/{source}`. */
export const WebhookBody = z.union([...shapes, z.array(one)]).meta({ id: 'WebhookBody' });
