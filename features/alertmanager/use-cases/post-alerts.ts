import type { UseCaseContext } from '#application/access/context.ts';
import { takeWebhook } from '#application/events/sources/take-webhook.ts';
import { amendNote } from '#application/records/amend-note.ts';
import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { labelFingerprint } from '#domain/texts/fnv.ts';
import { parseTime } from '#domain/texts/time-text.ts';
import { type AlertSender, heardFrom, senderOf } from '#features/alertmanager/rules/senders.ts';
import { PROMETHEUS } from '#sources/kit/alertmanager-body.ts';

/** Kind of the record store, by the hashed name. */
export const SENDER_KIND = 'alert-sender';
/** Time after which an alert without an end ends, unless it is repeated; ms. */
const RESOLVE_TIMEOUT_MS = 5 * 60_000;
/** Interval in which a sender is noted; ms. */
const NOTE_EVERY_MS = 10_000;
const MAX_SENDERS = 20;
const MAX_NAMED_ERRORS = 20;

interface ReadAlert {
  readonly item: Readonly<Record<string, unknown>>;
  readonly sender: string;
}

/** Zero times of Go mean that there is none. Throws Fault `invalid`. */
const timeIn = (alert: Readonly<Record<string, unknown>>, field: string, at: string): number | undefined => {
  const said = alert[field];
  if (said === undefined || said === null || (typeof said === 'string' && said.startsWith('0001-01-01')))
    return undefined;
  const time = typeof said === 'string' ? parseTime(said) : null;
  if (time === null) throw invalid(`${at}.${field}`, 'expected an RFC 3339 time');
  return time;
};

/** Labels without empty ones, as Alertmanager hashes them. Throws Fault `invalid`. */
const labelsIn = ({ labels }: Readonly<Record<string, unknown>>, at: string): [string, string][] => {
  const said = isRecord(labels) ? Object.entries(labels) : [];
  const kept = said.filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '');
  const wrong = said.find(([, value]) => typeof value !== 'string');
  if (wrong !== undefined) throw invalid(`${at}.labels.${wrong[0]}`, 'expected text');
  if (kept.length === 0) throw invalid(`${at}.labels`, 'at least one label pair required');
  return kept;
};

/** An alert as the source `prometheus` reads it, with all that the API leaves to the server. Throws Fault `invalid`. */
const readAlert = (alert: unknown, place: number, now: number): ReadAlert => {
  const at = `alerts[${place}]`;
  if (!isRecord(alert)) throw invalid(at, 'expected an object');
  const labels = labelsIn(alert, at);
  const said = timeIn(alert, 'endsAt', at);
  const endsAt = said ?? now + RESOLVE_TIMEOUT_MS;
  const startsAt = timeIn(alert, 'startsAt', at) ?? (said === undefined ? now : Math.min(said, now));
  if (endsAt < startsAt) throw invalid(`${at}.endsAt`, 'start time must be before end time');
  const { annotations, generatorURL } = alert;
  const times = { startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() };
  const fingerprint = labelFingerprint(labels);
  return {
    item: { labels: Object.fromEntries(labels), annotations, ...times, generatorURL, fingerprint },
    sender: senderOf(generatorURL),
  };
};

const noteSender = ({ ports, tenant, receivedAt }: UseCaseContext, name: string): Promise<void> =>
  amendNote<AlertSender>(ports.records, { tenant, kind: SENDER_KIND, id: ports.crypto.sha256(name) }, (before) =>
    before !== null && Math.abs(receivedAt - before.lastSeen) < NOTE_EVERY_MS
      ? null
      : heardFrom(name, before, receivedAt),
  );

/**
 * Stores all valid alerts, as webhooks do; an alert is the same event in both ways. Throws Fault `invalid` afterwards when
 * some are not.
 */
export const postAlerts = async (sent: readonly unknown[], context: UseCaseContext): Promise<void> => {
  const errors: string[] = [];
  const read = sent.flatMap((alert, place) => {
    try {
      return [readAlert(alert, place, context.receivedAt)];
    } catch (error) {
      errors.push((error as Error).message);
      return [];
    }
  });
  if (read.length > 0) {
    const delivered = { body: read.map(({ item }) => item), headers: { 'content-type': 'application/json' } };
    const { rejected } = await takeWebhook({ segment: PROMETHEUS, delivered }, context);
    errors.push(...rejected.map(({ error }) => error));
    const senders = [...new Set(read.map(({ sender }) => sender))].slice(0, MAX_SENDERS);
    for (const sender of senders) await noteSender(context, sender);
  }
  if (errors.length > 0) throw invalid('alerts', errors.slice(0, MAX_NAMED_ERRORS).join('; '));
};
