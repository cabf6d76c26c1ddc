import { firstItem } from '#domain/assert.ts';
import type { CheckProblem, Grade, Monitor } from './scene/check-problems.ts';

/** One message of a monitor. Times in epoch ms. */
export interface Notice {
  readonly complaint: CheckProblem;
  /** Number of the condition: a problem that returns later is another one. */
  readonly serial: number;
  readonly phase: 'fire' | 'repeat' | 'recover';
  readonly at: number;
  readonly since: number;
}

const seconds = (ms: number): number => Math.floor(ms / 1_000);
const iso = (ms: number): string => new Date(ms).toISOString();
const over = ({ phase }: Notice): boolean => phase === 'recover';
const hex = (text: string, digits: number): string => {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (const letter of text) {
    a = Math.imul(a ^ letter.charCodeAt(0), 0x01000193);
    b = Math.imul(b + letter.charCodeAt(0), 0x85ebca6b) ^ (b >>> 13);
  }
  const long = [a, b, a ^ (b << 7), b ^ (a >>> 3)].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
  return long.slice(0, digits);
};
const keyOf = ({ monitor, host = '', check, labels = {} }: CheckProblem): string =>
  [monitor, host, check, labels.service ?? ''].join('|');

const HOST_STATES: Readonly<Record<Grade, string>> = {
  critical: 'DOWN',
  major: 'UNREACHABLE',
  minor: 'DOWN',
  warning: 'DOWN',
  info: 'UP',
};
const SERVICE_STATES: Readonly<Record<Grade, string>> = {
  critical: 'CRITICAL',
  major: 'CRITICAL',
  minor: 'UNKNOWN',
  warning: 'WARNING',
  info: 'OK',
};

const nagios = (notice: Notice): unknown => {
  const { host, check, text, grade, labels = {} } = notice.complaint;
  const flaps = labels.flapping === 'yes';
  const good = check === '' ? 'UP' : 'OK';
  const bad = (check === '' ? HOST_STATES : SERVICE_STATES)[grade];
  return {
    notification_type: over(notice) ? (flaps ? 'FLAPPINGSTOP' : 'RECOVERY') : flaps ? 'FLAPPINGSTART' : 'PROBLEM',
    hostname: host,
    service: check,
    state: over(notice) ? good : bad,
    output: over(notice) ? `OK - ${check || 'host'} is well again` : text,
    timestamp: seconds(notice.at),
  };
};

const ZABBIX_LEVELS: Readonly<Record<Grade, string>> = {
  critical: '5',
  major: '4',
  minor: '3',
  warning: '2',
  info: '1',
};

const zabbix = (notice: Notice): unknown => ({
  event_id: String(4_100_000 + notice.serial),
  event_value: over(notice) ? '0' : '1',
  event_status: over(notice) ? 'RESOLVED' : 'PROBLEM',
  event_update_status: '0',
  trigger_name: notice.complaint.text,
  trigger_description: '',
  hostname: notice.complaint.host,
  severity: ZABBIX_LEVELS[notice.complaint.grade],
  timestamp: String(seconds(over(notice) ? notice.at : notice.since)),
  event_tags: [{ tag: 'scope', value: 'availability' }],
});

const NEVER = '0001-01-01T00:00:00Z';
const alert = (notice: Notice) => {
  const { check, text, grade, labels = {} } = notice.complaint;
  const severity = grade === 'major' ? 'error' : grade;
  return {
    status: over(notice) ? 'resolved' : 'firing',
    labels: { alertname: check, severity, ...labels },
    annotations: { summary: text, runbook_url: `https://runbooks.corp.example/${encodeURIComponent(check)}` },
    startsAt: iso(notice.since),
    endsAt: over(notice) ? iso(notice.at) : NEVER,
    generatorURL: 'https://prometheus.corp.example/graph',
    fingerprint: hex(keyOf(notice.complaint), 16),
  };
};

const envelope = (notices: readonly Notice[]) => {
  const [{ complaint }] = notices as readonly [Notice, ...Notice[]];
  return {
    groupKey: `{}:{alertname="${complaint.check}"}`,
    truncatedAlerts: 0,
    status: notices.every(over) ? 'resolved' : 'firing',
    receiver: 'faultline',
    groupLabels: { alertname: complaint.check },
    commonLabels: { alertname: complaint.check },
    commonAnnotations: {},
    alerts: notices.map(alert),
  };
};

const ACCOUNT = '210987654321';
const REGION = 'eu-central-1';

const cloudwatch = (notice: Notice): unknown => {
  const { host, check, text, grade, labels = {} } = notice.complaint;
  const [state, previous] = over(notice) ? ['OK', 'ALARM'] : ['ALARM', 'OK'];
  const dimensions = { DBInstanceIdentifier: host };
  return {
    version: '0',
    id: hex(`${check}/${notice.serial}/${notice.phase}`, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    'detail-type': 'CloudWatch Alarm State Change',
    source: 'aws.cloudwatch',
    account: ACCOUNT,
    time: iso(notice.at),
    region: REGION,
    resources: [`arn:aws:cloudwatch:${REGION}:${ACCOUNT}:alarm:${check}`],
    detail: {
      alarmName: check,
      configuration: {
        description: text,
        metrics: [
          {
            id: 'm1',
            metricStat: {
              metric: { dimensions, name: labels.metric, namespace: 'AWS/RDS' },
              period: 60,
              stat: 'Average',
            },
            returnData: true,
          },
        ],
      },
      state: { value: state, reason: `Threshold Crossed: ${text}`, timestamp: iso(notice.at) },
      previousState: { value: previous, timestamp: iso(notice.since) },
      alarmTags: { severity: grade === 'major' ? 'high' : grade },
    },
  };
};

const AZURE_LEVELS: Readonly<Record<Grade, string>> = {
  critical: 'Sev0',
  major: 'Sev1',
  minor: 'Sev2',
  warning: 'Sev2',
  info: 'Sev3',
};
const SUBSCRIPTION = '/subscriptions/7f3c1a52-0d9e-4b1f-9a55-3c2a1b0d9e8f';

const azure = (notice: Notice): unknown => {
  const { host, check, text, grade } = notice.complaint;
  return {
    schemaId: 'azureMonitorCommonAlertSchema',
    data: {
      essentials: {
        alertId: `${SUBSCRIPTION}/providers/Microsoft.AlertsManagement/alerts/${hex(`${check}/${host}/${notice.serial}`, 32)}`,
        alertRule: check,
        severity: AZURE_LEVELS[grade],
        signalType: 'Metric',
        monitorCondition: over(notice) ? 'Resolved' : 'Fired',
        monitoringService: 'Platform',
        alertTargetIDs: [`${SUBSCRIPTION}/resourcegroups/data-rg/providers/microsoft.compute/virtualmachines/${host}`],
        configurationItems: [host],
        firedDateTime: iso(notice.since),
        ...(over(notice) && { resolvedDateTime: iso(notice.at) }),
        description: text,
        essentialsVersion: '1.0',
        alertContextVersion: '1.0',
      },
      alertContext: {
        properties: null,
        conditionType: 'SingleResourceMultipleMetricCriteria',
        condition: { windowSize: 'PT5M', allOf: [] },
      },
    },
  };
};

const cloudevents = (notice: Notice): unknown => {
  const { check, text, grade, labels = {} } = notice.complaint;
  return {
    specversion: '1.0',
    id: `${check}/${notice.serial}/${notice.phase}`,
    source: '/delivery/pipeline',
    type: `com.example.delivery.change.${over(notice) ? 'closed' : 'opened'}`,
    subject: check,
    time: iso(notice.at),
    datacontenttype: 'application/json',
    data: { title: text, severity: grade, ...labels },
  };
};

type Format = (notices: readonly Notice[]) => unknown;
const single =
  (write: (notice: Notice) => unknown): Format =>
  (notices) =>
    write(firstItem(notices));

/** Message format of each monitor; only those below report several things at once. */
export const FORMATS: Readonly<Record<Monitor, Format>> = {
  nagios: single(nagios),
  zabbix: single(zabbix),
  prometheus: (notices) => ({ version: '4', externalURL: 'https://alertmanager.corp.example', ...envelope(notices) }),
  grafana: (notices) => ({
    version: '1',
    orgId: 1,
    state: notices.every(over) ? 'ok' : 'alerting',
    externalURL: 'https://grafana.corp.example',
    ...envelope(notices),
  }),
  cloudwatch: single(cloudwatch),
  azure: single(azure),
  cloudevents: single(cloudevents),
};

/** Monitors that gather what happens within some seconds under one name into one message. */
export const GATHERS: ReadonlySet<Monitor> = new Set(['prometheus', 'grafana']);
