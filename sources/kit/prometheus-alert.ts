/** One alert with labels and annotations, as Alertmanager and Grafana both post it. */
import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { FAULTLINE_ALERTS } from '#domain/event/own-alerts.ts';
import { invalid } from '#domain/fault.ts';
import { labelFingerprint } from '#domain/texts/fnv.ts';
import { agreed, type HostAddress, isPlace } from './hosts.ts';
import { type AlertReading, change, ignore, open, unknownState } from './items.ts';
import { type Labels, labelsOf, mergeLabels, pick } from './labels.ts';
import {
  belongingOfLabels,
  hintsOfLabels,
  namedLabels,
  objectHints,
  placeOfLabels,
  tagsOfLabels,
} from './prometheus-labels.ts';
import { FREE_WORDS, rate } from './severity.ts';
import { anything, fields, inner, labels, text, time } from './shapes.ts';
import type { InboundSettings } from './source.ts';
import { toldBy } from './state-words.ts';
import { first, joined, textOf } from './text.ts';

/** The `valueString` of Grafana: `[ var='A' labels={instance=web-5:9100, job=node} value=1.2 ], [ … ]`. */

const LABELS = /\blabels=\{([^{}]{0,4000})\}/g;
/** Maximum of series. */
const MOST = 100;

/** `instance=web-5:9100, job=node`; a blank follows each comma, and none of it is quoted. */
const pairsIn = (written: string): (readonly [string, string])[] =>
  written.split(', ').flatMap((part) => {
    const equals = part.indexOf('=');
    return equals > 0 ? [[part.slice(0, equals), part.slice(equals + 1)] as const] : [];
  });

/** The labels of each series. */
const labelsOfValues = (valueString: string): Labels[] =>
  [...valueString.matchAll(LABELS)]
    .slice(0, MOST)
    .map(([, written = '']) => labelsOf(Object.fromEntries(pairsIn(written))));

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

/** The fields of the message around the alerts. */
interface Envelope {
  readonly source: string;
  readonly status: string | undefined;
  readonly commonLabels: Labels;
  readonly commonAnnotations: Labels;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AlertContext {
  readonly envelope: Envelope;
  readonly settings: InboundSettings;
  readonly receivedAt: number;
}

/** Such alerts never become events. */
const isOwn = ({ byName }: Labels): boolean => {
  const label = Object.entries(FAULTLINE_ALERTS).find(([name]) => name === byName.get('alertname'))?.[1];
  return label !== undefined && byName.has(label);
};

const SEVERITY = ['severity', 'priority', 'level', 'alert_severity'];

/** Returns the number of alerts omitted by the sender. */
export function droppedOf(sent: unknown): number {
  const count = Number(textOf(sent) ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** `firing` while it burns; the API of Alertmanager wraps the word, and a client of it sends an end instead. */
function stateOf(alert: Alert, around: AlertContext): 'firing' | 'over' | { readonly word: string } {
  const word = first(text.parse(alert.status), stateShape.parse(alert.status).state, around.envelope.status);
  if (word === undefined) return alert.endsAt !== undefined && alert.endsAt <= around.receivedAt ? 'over' : 'firing';
  const told = toldBy(word);
  if (told === 'over') return told;
  return told === 'problem' || FIRING.has(word.toLowerCase()) ? 'firing' : { word };
}
/** Further states of the API, in which an alert burns, too. */
const FIRING: ReadonlySet<string> = new Set(['suppressed', 'unprocessed', 'pending', 'no_data']);

interface Words {
  readonly title: string | undefined;
  readonly description: string | undefined;
}

/**
 * Grafana's own alerts (`DatasourceNoData`, `DatasourceError`) have one name for all rules, and that of the rule beside
 * it; their annotations are those of the rule and describe missing data.
 */
function wordsOf(all: Labels, notes: Labels): Words {
  const [name, rule] = [pick(all, ['alertname', 'alert']), pick(all, ['rulename'])];
  const summary = pick(notes, ['summary', 'title']);
  const description = pick(notes, ['description', 'message']);
  if (name !== undefined && /^Datasource(?:NoData|Error)$/i.test(name))
    return { title: joined([name, rule], ': '), description: joined([summary, description], '\n') };
  return { title: first(summary, name, rule, pick(notes, ['message', 'description'])), description };
}

/** Series without labels of their own are in the values alone: their machine counts where they all name the same. */
function placeOfAlert(meant: Labels, { valueString }: Alert): HostAddress {
  const place = placeOfLabels(meant);
  if (valueString === undefined || isPlace(place)) return place;
  return agreed(
    labelsOfValues(valueString)
      .map((labels) => placeOfLabels(namedLabels(labels)))
      .filter(isPlace),
  );
}

/** Start of the problem, which was there for the duration of the rule before the alert fired. */
const beganAt = (startsAt: number | undefined, name: string | undefined, { durations }: InboundSettings) =>
  startsAt === undefined ? undefined : startsAt - (durations.get(name ?? '') ?? 0);

/** End of the alert unless Prometheus repeats it; other senders report the end itself. */
const expiryOf = ({ status, endsAt }: Alert): string | undefined =>
  status === undefined && endsAt !== undefined ? new Date(endsAt).toISOString() : undefined;

function problemOf(alert: Alert, all: Labels, sourceId: string, around: AlertContext, raw: unknown): AlertReading {
  const { envelope, settings } = around;
  const notes = alert.annotations.pairs.length > 0 ? alert.annotations : envelope.commonAnnotations;
  const scale = { source: envelope.source, table: FREE_WORDS, fallback: 'warning' as const };
  const meant = namedLabels(all);
  return {
    source: envelope.source,
    sourceId,
    rated: rate(scale, pick(all, SEVERITY), settings),
    ...wordsOf(all, notes),
    time: beganAt(alert.startsAt, all.byName.get('alertname'), settings),
    ongoing: true,
    place: placeOfAlert(meant, alert),
    belonging: belongingOfLabels(meant),
    ciHints: [...hintsOfLabels(meant), ...objectHints(meant, settings.alerts)],
    tags: tagsOfLabels(all),
    details: {
      alertname: all.byName.get('alertname'),
      generatorURL: alert.generatorURL,
      expiresAt: expiryOf(alert),
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

/** The same labels when none of them names a replica, or all do. */
function withoutReplicas(all: Labels, replicas: readonly string[]): Labels {
  const pairs = all.pairs.filter(([name]) => !replicas.includes(name));
  return pairs.length === 0 || pairs.length === all.pairs.length ? all : mergeLabels({ ...all, pairs });
}

/** Throws Fault `invalid` for an alert without an identity. The fingerprint is computed when none was sent. */
export function readAlert(item: Readonly<Record<string, unknown>>, around: AlertContext): MonitorAction {
  const { envelope, receivedAt } = around;
  const alert = shape.parse(item);
  const sent = alert.labels.pairs.length > 0 ? alert.labels : mergeLabels(envelope.commonLabels);
  const all = withoutReplicas(sent, around.settings.replicaLabels);
  if (all.pairs.length === 0 && alert.fingerprint === undefined)
    throw invalid('labels', 'expected a map with at least alertname, or a fingerprint');
  // The sent fingerprint distinguishes the replicas, which report one condition.
  const given = all === sent ? alert.fingerprint : undefined;
  const sourceId = given ?? labelFingerprint(all.pairs);
  if (isOwn(all)) return ignore(sourceId, 'an alert of Faultline itself');
  const state = stateOf(alert, around);
  if (state === 'over') {
    const said = { at: alert.endsAt };
    return change('resolve', { source: envelope.source, sourceId }, said, receivedAt);
  }
  const told = problemOf(alert, all, sourceId, around, item);
  return state === 'firing' ? open(told, receivedAt) : unknownState(told, state.word, receivedAt);
}
