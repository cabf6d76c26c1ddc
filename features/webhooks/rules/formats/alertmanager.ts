import type { Severity } from '#domain/event/event.ts';
import { FAULTLINE_ALERTS } from '#domain/event/own-alerts.ts';
import { asRecord } from '#domain/record-of.ts';
import { labelFingerprint } from '#domain/texts/fnv.ts';
import type { StandardBody } from '#features/webhooks/rules/body.ts';
import { factsOf, idInKey } from './facts.ts';
import { clipped, textOf } from './read.ts';

type LabelSet = Readonly<Record<string, string>>;

/** A group, or an event in none, as an alert of Prometheus. */
export interface PushedAlert {
  readonly labels: LabelSet;
  readonly annotations: LabelSet;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL: string;
}

const ALERT_NAMES = { group: 'FaultlineGroup', event: 'FaultlineEvent' } as const;
const TEST_MS = 5 * 60_000;
/** `endsAt` of an alert without an end. */
const NO_END = '0001-01-01T00:00:00Z';
const VALUE = 1_000;

interface AlertSubject {
  readonly kind: 'group' | 'event';
  readonly id: string;
  readonly severity: Severity | null;
  readonly hostname?: string | undefined;
  readonly service?: string | undefined;
  readonly environment?: string | undefined;
}

const said = (values: Readonly<Record<string, string | null | undefined>>): LabelSet =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value ? [[name, clipped(value, VALUE)] as const] : [])),
  );

/** The receiver routes and distinguishes alerts by them. */
export const labelsOf = ({ kind, id, severity, hostname, service, environment }: AlertSubject): LabelSet =>
  said({
    alertname: ALERT_NAMES[kind],
    [FAULTLINE_ALERTS[ALERT_NAMES[kind]]]: id,
    severity,
    instance: hostname,
    service,
    environment,
  });

/** Field names of a delivery as names of annotations. */
const annotationName = (label: string): string => label.toLowerCase().replace(/[^a-z0-9]+/g, '_');

const subjectOf = ({ data }: StandardBody, key: string | null): AlertSubject | null => {
  const group = asRecord(data.correlation);
  const leading = asRecord(data.correlation === undefined ? data.event : group.rootCause);
  if (key === null) return null;
  return {
    kind: data.correlation === undefined ? 'event' : 'group',
    id: idInKey(key),
    severity: textOf(leading.severity) as Severity | null,
    hostname: textOf(leading.hostname) ?? undefined,
    service: textOf(leading.service) ?? undefined,
    environment: textOf(leading.environment) ?? undefined,
  };
};

const later = (timestamp: string): string => new Date(Date.parse(timestamp) + TEST_MS).toISOString();

/** The alert of a delivery; null where no action is needed. */
const alertOf = (body: StandardBody): PushedAlert | null => {
  const { headline, key, state, fields } = factsOf(body);
  const isTest = body.event === 'webhook.test';
  const subject = subjectOf(body, key);
  if (!isTest && (state === null || subject === null)) return null;
  const { timeSpan } = asRecord(body.data.correlation);
  const { firstOccurrence } = asRecord(body.data.event);
  return {
    labels:
      subject === null
        ? { alertname: 'FaultlineWebhookTest', webhook: body.webhook_id, severity: 'info' }
        : labelsOf(subject),
    annotations: said({
      summary: headline,
      ...Object.fromEntries(fields.map(([label, value]) => [annotationName(label), value])),
    }),
    startsAt: textOf(asRecord(timeSpan).start) ?? textOf(firstOccurrence) ?? body.timestamp,
    endsAt: isTest ? later(body.timestamp) : state === 'resolved' ? body.timestamp : NO_END,
    generatorURL: '',
  };
};

/** The body of Alertmanager's webhook, version 4, with one alert; null where no action is needed. */
export const alertmanagerBody = (body: StandardBody): object | null => {
  const alert = alertOf(body);
  if (alert === null) return null;
  const status = alert.endsAt === NO_END || body.event === 'webhook.test' ? 'firing' : 'resolved';
  const { labels, annotations } = alert;
  const [name = '', value] = Object.entries(labels)[1] ?? [];
  return {
    version: '4',
    groupKey: `{}:{${name}=${JSON.stringify(value)}}`,
    truncatedAlerts: 0,
    status,
    receiver: 'faultline',
    groupLabels: { [name]: value },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: '',
    alerts: [{ status, ...alert, fingerprint: labelFingerprint(Object.entries(labels)) }],
  };
};

/** The body of the first request that Alertmanager's API receives: a test. Alerts follow without deliveries. */
export const alertmanagerTest = (body: StandardBody): object | null =>
  body.event === 'webhook.test' ? [alertOf(body)] : null;
