import { type Condition, type Event, eventIdOf } from '#domain/event/event.ts';
import { openConditions } from '#domain/event/lifecycle/conditions.ts';
import { FIELD_LABELS, isLabelName, labelValues, valuesTest } from '#domain/event/silences/labels.ts';
import type { LabelMatcher } from '#domain/event/silences/silence-rule.ts';
import { isRecord } from '#domain/record-of.ts';
import { expiryOf } from './senders.ts';

export type LabelSet = Readonly<Record<string, string>>;

/** An open condition of an event, as an alert. */
export interface EventAlert {
  /** Computed by the monitor; null: not an alert of Prometheus. */
  readonly fingerprint: string | null;
  readonly condition: string;
  readonly labels: LabelSet;
  readonly annotations: LabelSet;
  readonly generatorURL?: string;
  /** ms. */
  readonly startsAt: number;
  readonly endsAt: number;
}

const PROMETHEUS = 'prometheus';
/** An open event without an end is shown with this one, which moves on with every request; ms. */
const SHOWN_MS = 5 * 60_000;
const FINGERPRINT = /^[0-9a-f]{16}$/;

const textsOf = (value: unknown): LabelSet =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
    : {};

/** The last message, if it was about this condition and all of its labels count. */
const rawOf = ({ details: { raw } }: Event, sourceId: string) =>
  isRecord(raw) && raw.fingerprint === sourceId ? raw : null;

const tagLabels = (tags: readonly string[]): LabelSet =>
  Object.fromEntries(
    tags
      .map((tag) => [tag.slice(0, Math.max(0, tag.indexOf(':'))), tag.slice(tag.indexOf(':') + 1)] as const)
      .filter(([name]) => isLabelName(name)),
  );

const fieldLabels = (event: Event): LabelSet =>
  Object.fromEntries(
    FIELD_LABELS.map((name) => [name, labelValues({ ...event, tags: [] }, name)[0] ?? ''] as const).filter(
      ([, value]) => value !== '',
    ),
  );

const notesOf = (event: Event, { description = event.description, title = event.title }: Partial<Condition>) => ({
  summary: title,
  ...(description !== undefined && { description }),
});

const ownNotes = ({ id, correlationId, status, acknowledgedBy }: Event): LabelSet => ({
  faultline_event: eventIdOf(id),
  ...(correlationId !== null && { faultline_group: correlationId }),
  ...(status === 'acknowledged' && { faultline_acknowledged_by: acknowledgedBy?.name ?? 'the source' }),
});

const alertOf = (event: Event, condition: Condition, now: number): EventAlert => {
  const { sourceId = event.sourceId, source = event.source } = condition;
  const isPrometheus = source === PROMETHEUS && FINGERPRINT.test(sourceId);
  const raw = isPrometheus ? rawOf(event, sourceId) : null;
  const tags = tagLabels(condition.tags ?? event.tags);
  const said = raw === null ? tags : textsOf(raw.labels);
  const generatorURL = event.details.generatorURL;
  return {
    fingerprint: isPrometheus ? sourceId : null,
    condition: condition.id,
    labels: isPrometheus ? { alertname: event.title, ...said } : { ...fieldLabels(event), ...said },
    annotations: { ...notesOf(event, condition), ...textsOf(raw?.annotations), ...ownNotes(event) },
    ...(typeof generatorURL === 'string' && { generatorURL }),
    startsAt: condition.since ?? event.firstOccurrence,
    endsAt: Math.max(expiryOf(event) ?? 0, now + SHOWN_MS),
  };
};

/** The alerts of an event that is not resolved; `now` in ms. */
export const alertsOf = (event: Event, now: number): EventAlert[] =>
  openConditions(event).map((condition) => alertOf(event, condition, now));

/** A test of labels by all of these matchers. */
export const labelsTest = (matchers: readonly LabelMatcher[]): ((labels: LabelSet) => boolean) => {
  const tests = matchers.map((matcher) => [matcher.name, valuesTest(matcher)] as const);
  return (labels) => tests.every(([name, test]) => test([Object.hasOwn(labels, name) ? (labels[name] ?? '') : '']));
};
