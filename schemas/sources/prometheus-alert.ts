/** One alert with labels and annotations, as Alertmanager and Grafana both post it. */
import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { invalid } from '#domain/fault.ts';
import { labelFingerprint } from './hash.ts';
import { type Place, placeAmong } from './hosts.ts';
import { type Complaint, change, open } from './items.ts';
import { belongingOf, type Labels, mergeLabels, pick } from './labels.ts';
import { FREE_WORDS, rate } from './severity.ts';
import { anything, fields, inner, labels, text, time } from './shapes.ts';
import type { InboundSettings } from './source.ts';
import { first, joined, textOf } from './text.ts';

const shape = z.object({
  status: anything,
  labels,
  annotations: labels,
  startsAt: time,
  endsAt: time,
  ...fields(text, 'generatorURL fingerprint silenceURL dashboardURL panelURL imageURL'),
  values: anything,
  valueString: text,
});
type Alert = z.output<typeof shape>;
const stateShape = inner({ state: text });

/** What the message around the alerts says. */
export interface Envelope {
  readonly source: string;
  readonly status: string | undefined;
  readonly commonLabels: Labels;
  readonly commonAnnotations: Labels;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Around {
  readonly envelope: Envelope;
  readonly settings: InboundSettings;
  readonly receivedAt: number;
}

const HOST = [
  'host',
  'hostname',
  'node',
  'nodename',
  'host_name',
  'host.name',
  'instance',
  'kubernetes_node',
  'node_name',
  'server',
  'ip',
  'ip_address',
  'host_ip',
];
const SEVERITY = ['severity', 'priority', 'level', 'alert_severity'];
const HINTS = ['pod', 'deployment', 'statefulset', 'daemonset', 'container', 'device', 'target', 'vm', 'cluster'];

/** A probed address is the name of what it probes; `host:port` of an exporter is not. */
const urlOf = (instance: string | undefined): string | undefined => (instance?.includes('://') ? instance : undefined);

/** What runs on the machine that it tells of, by name or by port (Linux, Windows). */
const NODE_EXPORTER = /(?:node|windows)[-_]?exporter/i;
const NODE_EXPORTER_PORT = /:(?:9100|9182)$/;

/** Whether `instance` is the address of something that tells of a node from elsewhere, such as kube-state-metrics. */
const isToldByAnother = ({ byName }: Labels): boolean =>
  byName.has('node') &&
  !NODE_EXPORTER.test(byName.get('job') ?? '') &&
  !NODE_EXPORTER_PORT.test(byName.get('instance') ?? '');

export function placeOfLabels(all: Labels): Place {
  const names = isToldByAnother(all) ? HOST.filter((name) => name !== 'instance') : HOST;
  return placeAmong(names.map((name) => all.byName.get(name)));
}

/** How many alerts the sender left out. */
export function droppedOf(sent: unknown): number {
  const count = Number(textOf(sent) ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** `firing` while it burns; the API of Alertmanager wraps the word, and a client of it sends an end instead. */
function isOver(alert: Alert, around: Around): boolean {
  const word = first(
    text.parse(alert.status),
    stateShape.parse(alert.status).state,
    around.envelope.status,
  )?.toLowerCase();
  if (word === 'resolved' || word === 'ok' || word === 'normal' || word === 'inactive') return true;
  if (word === undefined) return alert.endsAt !== undefined && alert.endsAt <= around.receivedAt;
  if (!FIRING.has(word)) throw invalid('status', `expected firing or resolved, got ${word.slice(0, 60)}`);
  return false;
}
const FIRING = new Set([
  'firing',
  'alerting',
  'active',
  'suppressed',
  'unprocessed',
  'pending',
  'nodata',
  'no_data',
  'error',
]);

/** Grafana's own alerts (`DatasourceNoData`, `DatasourceError`) have one name for all rules, and that of the rule beside it. */
function nameOf(all: Labels): string | undefined {
  const [name, rule] = [pick(all, ['alertname', 'alert']), pick(all, ['rulename'])];
  return name !== undefined && /^Datasource(?:NoData|Error)$/i.test(name)
    ? joined([name, rule], ': ')
    : first(name, rule);
}

function complaintOf(alert: Alert, all: Labels, sourceId: string, around: Around, raw: unknown): Complaint {
  const { envelope, settings } = around;
  const notes = alert.annotations.pairs.length > 0 ? alert.annotations : envelope.commonAnnotations;
  const scale = { source: envelope.source, table: FREE_WORDS, fallback: 'warning' as const };
  return {
    source: envelope.source,
    sourceId,
    rated: rate(scale, pick(all, SEVERITY), settings),
    title: first(pick(notes, ['summary', 'title']), nameOf(all), pick(notes, ['message', 'description'])),
    description: pick(notes, ['description', 'message']),
    time: alert.startsAt,
    place: placeOfLabels(all),
    belonging: belongingOf(all),
    ciHints: [...HINTS.map((name) => all.byName.get(name)), urlOf(all.byName.get('instance'))],
    tags: all.tags,
    details: {
      alertname: all.byName.get('alertname'),
      generatorURL: alert.generatorURL,
      runbookURL: pick(notes, ['runbook_url', 'runbook']),
      dashboardURL: first(alert.dashboardURL, pick(notes, ['dashboard_url', 'dashboard'])),
      panelURL: alert.panelURL,
      silenceURL: alert.silenceURL,
      imageURL: alert.imageURL,
      values: alert.values,
      valueString: alert.valueString,
      ...envelope.details,
    },
    raw,
  };
}

/** Throws Fault `invalid` when nothing tells the alert from others. The fingerprint is computed when none was sent. */
export function readAlert(item: Readonly<Record<string, unknown>>, around: Around): MonitorAction {
  const { envelope, receivedAt } = around;
  const alert = shape.parse(item);
  const all = alert.labels.pairs.length > 0 ? alert.labels : mergeLabels(envelope.commonLabels);
  if (all.pairs.length === 0 && alert.fingerprint === undefined)
    throw invalid('labels', 'expected a map with at least alertname, or a fingerprint');
  const sourceId = alert.fingerprint ?? labelFingerprint(all.pairs);
  if (isOver(alert, around)) {
    const said = { at: alert.endsAt };
    return change('resolve', { source: envelope.source, sourceId }, said, receivedAt);
  }
  return open(complaintOf(alert, all, sourceId, around, item), receivedAt);
}
