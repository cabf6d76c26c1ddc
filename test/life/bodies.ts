import { createHash } from 'node:crypto';
import { conditionOf, HOSTS, type Message, type Monitor, PARTS, TITLES, type Trouble } from './plan.ts';

/* The messages of a day as the monitors post them. */

const SEVERITIES = ['critical', 'major', 'warning'] as const;
const ZABBIX_SEVERITIES = ['5', '4', '2'] as const;
const NAGIOS_STATES = ['CRITICAL', 'UNKNOWN', 'WARNING'] as const;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const iso = (ms: number): string => new Date(ms).toISOString();
const wordsOf = ({ host, title, part }: Trouble) => ({
  host: HOSTS[host] as string,
  title: TITLES[title] as string,
  part: PARTS[part] as string,
});

interface Post {
  readonly path: string;
  readonly body: unknown;
}

/** `at` returns the time of a minute of the day, ms. */
type Reader = (message: Message, at: (minute: number) => number) => Post;

const prometheusAlert: Reader = ({ trouble, says, since, of }, at) => {
  const { host, title, part } = wordsOf(trouble);
  const labels = { alertname: title, instance: `${host}:9100`, mountpoint: part, job: 'node' };
  const alert = {
    status: says === 'fires' ? 'firing' : 'resolved',
    labels: { ...labels, severity: SEVERITIES[trouble.severity] },
    annotations: { summary: title },
    startsAt: iso(at(since)),
    endsAt: says === 'fires' ? '0001-01-01T00:00:00Z' : iso(at(of)),
    fingerprint: digest(conditionOf(trouble)),
  };
  const message = { version: '4', groupKey: '{}', status: alert.status, receiver: 'faultline', alerts: [alert] };
  return { path: `/api/events/webhook/${trouble.monitor}`, body: message };
};

const readers: Readonly<Record<Monitor, Reader>> = {
  alertmanager: prometheusAlert,
  grafana: prometheusAlert,
  zabbix({ trouble, says, since, of }, at) {
    const { host, title } = wordsOf(trouble);
    const key = conditionOf(trouble);
    const body = {
      event_id: digest(`${key} ${since}`),
      trigger_id: digest(key),
      trigger_name: title,
      hostname: host,
      severity: ZABBIX_SEVERITIES[trouble.severity],
      event_value: says === 'fires' ? '1' : '0',
      timestamp: String(Math.floor(at(since) / 1_000)),
      ...(says === 'over' && { recovery_timestamp: String(Math.floor(at(of) / 1_000)) }),
    };
    return { path: '/api/events/webhook/zabbix', body };
  },
  nagios({ trouble, says, of }, at) {
    const { host, title } = wordsOf(trouble);
    const body = {
      notification_type: says === 'fires' ? 'PROBLEM' : 'RECOVERY',
      hostname: host,
      service: title,
      state: says === 'fires' ? NAGIOS_STATES[trouble.severity] : 'OK',
      timestamp: Math.floor(at(of) / 1_000),
    };
    return { path: '/api/events/webhook/nagios', body };
  },
  plain({ trouble, says, of }, at) {
    const { host, title, part } = wordsOf(trouble);
    const body = {
      source: 'scripts',
      sourceId: digest(conditionOf(trouble)),
      severity: SEVERITIES[trouble.severity],
      title: `${title}: "${part}"`,
      hostname: host,
      timestamp: at(of),
      ...(says === 'over' && { status: 'resolved' }),
    };
    return { path: '/api/events/ingest', body };
  },
};

export const postOf: Reader = (message, at) => readers[message.trouble.monitor](message, at);
