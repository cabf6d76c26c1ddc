import { itemAt } from '#domain/assert.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { titledOn } from '#domain/event/event-words.ts';
import { percent } from '#domain/numbers.ts';
import { asRecord } from '#domain/record-of.ts';
import type { StandardBody } from '#features/webhooks/rules/body.ts';
import { type JsonBag, textOf } from './read.ts';

/** The readable content of a delivery, in every format. */
export interface DeliveryFacts {
  readonly headline: string;
  /** A word of the product's severities, or null where nothing is wrong. */
  readonly severity: string | null;
  /** State that requires action; null: it is news alone. */
  readonly state: 'open' | 'acknowledged' | 'resolved' | null;
  /** The same for all deliveries about one problem or group; null where no action is needed. */
  readonly key: string | null;
  /** The system it is about. */
  readonly source: string | null;
  readonly fields: readonly (readonly [label: string, value: string])[];
}

/** ID of the group or event that a key is about. */
export const idInKey = (key: string): string => key.slice(key.indexOf(' ') + 1);

const NEWS = { severity: null, state: null, key: null, source: null } as const;

const given = (...fields: readonly (readonly [string, string | null])[]): DeliveryFacts['fields'] =>
  fields.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]));

const stateOf = (status: string | null): DeliveryFacts['state'] => {
  if (status === 'acknowledged') return 'acknowledged';
  return status === 'resolved' || status === 'suppressed' ? 'resolved' : 'open';
};

const hostOf = (event: JsonBag): string | null => textOf(event.hostname) ?? textOf(asRecord(event.ciId).name);

/** An event that was sent by itself is over, or part of a group that is sent. */
const overWords = (event: JsonBag): string =>
  textOf(event.status) !== 'resolved' && textOf(event.correlationId) !== null ? ': now in a group' : ': resolved';

const eventFacts = ({ event: kind, data }: StandardBody): DeliveryFacts => {
  const event = asRecord(data.event);
  const storage = textOf(event.id);
  const id = textOf(event.eventId) ?? (storage && eventIdOf(storage));
  const [title, status] = [textOf(event.title) ?? 'Deleted event', textOf(event.status)];
  const before = textOf(data.previous_status);
  const isChange = kind === 'event.status_changed';
  const isOver = kind === 'event.ungrouped_resolved';
  return {
    headline:
      isChange && status !== null
        ? `${title}: ${before === null ? '' : `${before} → `}${status}`
        : title + (isOver ? overWords(event) : ''),
    severity: textOf(event.severity),
    state: isOver ? 'resolved' : status === null ? null : stateOf(status),
    key: id && `event ${id}`,
    source: hostOf(event),
    fields: given(
      ['Severity', textOf(event.severity)],
      ['Status', status],
      ['Host', hostOf(event)],
      ['Service', textOf(event.service)],
      ['Environment', textOf(event.environment)],
      ['Source', textOf(event.source)],
      ['Notes', isChange || isOver ? textOf(event.resolutionNotes) : null],
      ['Event', id],
    ),
  };
};

const GROUP_WORDS: Readonly<Record<string, string>> = {
  'correlation.created': 'New group',
  'correlation.updated': 'Group updated',
  'correlation.resolved': 'Group resolved',
  'correlation.escalated': 'Group escalated',
};
const percentOf = (share: unknown): string | null => (typeof share === 'number' ? percent(share) : null);

const groupFacts = ({ event: kind, data }: StandardBody): DeliveryFacts => {
  const group = asRecord(data.correlation);
  const cause = asRecord(group.rootCause);
  const whole = textOf(asRecord(group.causeByParts).name);
  const state = kind === 'correlation.resolved' ? 'resolved' : stateOf(textOf(group.state));
  const words = kind === 'correlation.updated' && state === 'acknowledged' ? 'Group acknowledged' : GROUP_WORDS[kind];
  const [id, title, count] = [
    textOf(group.correlationId) ?? textOf(group.id),
    textOf(cause.title),
    textOf(group.eventCount),
  ];
  const { from_team: from, to_team: to, on_call: onCall, after_minutes: minutes } = asRecord(data.escalation);
  const size = count === null ? '' : ` (${count} events)`;
  return {
    headline: `${words}${size}: ${title === null ? 'no root cause identified' : `probable root cause ${titledOn(title, whole ?? undefined)}`}`,
    severity: textOf(cause.severity) ?? 'major',
    state,
    key: id && `group ${id}`,
    source: hostOf(cause),
    fields: given(
      ['Probable root cause', title],
      ['CI', whole],
      ['Host', hostOf(cause)],
      ['Severity', textOf(cause.severity)],
      ['Confidence', percentOf(asRecord(group.rootCauseCandidate).confidence)],
      ['Events', count],
      ['Started', textOf(asRecord(group.timeSpan).start)],
      ['Escalated to', textOf(to)],
      ['On call', textOf(onCall)],
      ['Not acknowledged by', textOf(from) && `${textOf(from)} within ${textOf(minutes)} minutes`],
      ['Merged into', textOf(group.mergedInto)],
      ['Group', id],
    ),
  };
};

const CI_WORDS: Readonly<Record<string, string>> = { created: 'New CI', updated: 'CI changed', deleted: 'CI deleted' };
const ciFacts = ({ event: kind, data }: StandardBody): DeliveryFacts => {
  const ci = asRecord(data.ci);
  const [id, name, type] = [textOf(ci.id), textOf(ci.name), textOf(ci.type)];
  return {
    ...NEWS,
    headline: `${CI_WORDS[itemAt(kind.split('.'), 1)]}: ${name ?? id ?? 'unknown'}`,
    fields: given(['Type', type], ['Status', textOf(ci.status)], ['Changed by', textOf(ci.updated_by)], ['CI', id]),
  };
};

const relationshipFacts = ({ data }: StandardBody): DeliveryFacts => {
  const { id, type, source, target, discovered_by } = asRecord(data.relationship);
  const nameOf = (end: unknown): string => textOf(asRecord(end).name) ?? 'unknown';
  return {
    ...NEWS,
    headline: `New relationship: ${nameOf(source)} ${textOf(type) ?? 'relates to'} ${nameOf(target)}`,
    fields: given(['Found by', textOf(discovered_by)], ['Relationship', textOf(id)]),
  };
};

const analysisFacts = ({ data }: StandardBody): DeliveryFacts => {
  const analysis = asRecord(data.analysis);
  const actions = Array.isArray(analysis.recommendedActions) ? analysis.recommendedActions : [];
  return {
    ...NEWS,
    headline: textOf(analysis.rootCauseHypothesis) ?? 'Analysis completed',
    fields: given(
      ['Event', textOf(analysis.eventId)],
      ['Group', textOf(analysis.correlationId)],
      ...actions.slice(0, 3).map((action) => ['Recommended action', textOf(action)] as const),
    ),
  };
};

const reportFacts = ({ data }: StandardBody): DeliveryFacts => {
  const report = asRecord(data.report);
  return {
    ...NEWS,
    headline: `Report ${textOf(report.status) ?? 'completed'}: ${textOf(report.template) ?? textOf(report.name) ?? 'report'}`,
    fields: given(['Report', textOf(report.report_id) ?? textOf(report.id)], ['File', textOf(report.download_url)]),
  };
};

const SILENCE_WORDS: Readonly<Record<string, string>> = {
  'silence.planned': 'Silence planned',
  'silence.started': 'Silence started',
  'silence.ended': 'Silence ended',
};
const silenceFacts = ({ event: kind, data }: StandardBody): DeliveryFacts => {
  const silence = asRecord(data.silence);
  const reason = textOf(silence.reason);
  return {
    ...NEWS,
    headline: `${SILENCE_WORDS[kind]}${reason === null ? '' : `: ${reason}`}`,
    fields: given(
      ['Matcher', textOf(silence.matches)],
      ['From', textOf(silence.startsAt)],
      ['Until', textOf(silence.endsAt)],
      ['Recurrence', textOf(silence.recurs)],
      ['Created by', textOf(asRecord(silence.createdBy).name)],
      ['Silence', textOf(silence.id)],
    ),
  };
};

const overflowFacts = ({ data }: StandardBody): DeliveryFacts => {
  const { kind, from, to, count } = asRecord(data.overflow);
  return {
    ...NEWS,
    headline: `${textOf(count) ?? 'Some'} ${textOf(kind) ?? 'changes'} deliveries dropped: queue full`,
    fields: given(['From', textOf(from)], ['To', textOf(to)]),
  };
};

const testFacts = ({ data }: StandardBody): DeliveryFacts => ({
  ...NEWS,
  headline: 'Faultline test delivery succeeded',
  fields: given(['Webhook', textOf(asRecord(data.webhook).name)]),
});

const FACTS: Readonly<Record<StandardBody['event'], (body: StandardBody) => DeliveryFacts>> = {
  'event.created': eventFacts,
  'event.status_changed': eventFacts,
  'event.ungrouped': eventFacts,
  'event.ungrouped_resolved': eventFacts,
  'correlation.created': groupFacts,
  'correlation.updated': groupFacts,
  'correlation.resolved': groupFacts,
  'correlation.escalated': groupFacts,
  'ci.created': ciFacts,
  'ci.updated': ciFacts,
  'ci.deleted': ciFacts,
  'relationship.created': relationshipFacts,
  'analysis.completed': analysisFacts,
  'report.completed': reportFacts,
  'silence.planned': silenceFacts,
  'silence.started': silenceFacts,
  'silence.ended': silenceFacts,
  'webhook.overflow': overflowFacts,
  'webhook.test': testFacts,
};

/** Returns its readable content. */
export const factsOf = (body: StandardBody): DeliveryFacts => FACTS[body.event](body);
