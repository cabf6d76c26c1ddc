import type { Event } from '#domain/event/event.ts';
import { linearPattern } from '#domain/texts/linear-pattern.ts';
import type { LabelMatcher } from './silence-rule.ts';

/** Labels are tags with a name. */
export type Labelled = Pick<
  Event,
  'source' | 'sourceId' | 'severity' | 'hostname' | 'service' | 'application' | 'environment' | 'tags' | 'title'
>;

const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
export const isLabelName = (name: string): boolean => LABEL_NAME.test(name);

/** `severity=~"critical|major"` */
export const labelText = ({ name, op, value }: LabelMatcher): string => `${name}${op}${JSON.stringify(value)}`;

/** Fields that count as labels where no tag has the name: other systems have no labels of these names. */
const FIELDS: Readonly<Record<string, (event: Labelled) => string | undefined>> = {
  alertname: ({ title }) => title,
  instance: ({ hostname }) => hostname,
  severity: ({ severity }) => severity,
  source: ({ source }) => source,
  service: ({ service }) => service,
  application: ({ application }) => application,
  environment: ({ environment }) => environment,
};
export const FIELD_LABELS = Object.keys(FIELDS);
/** Not listed with the labels of an alert: a silence made of all of them would match no later problem. */
const UNLISTED: typeof FIELDS = { sourceId: ({ sourceId }) => sourceId };

/** Several when an event has several conditions; one empty text when there is none. */
export const labelValues = (event: Labelled, name: string): readonly string[] => {
  const start = `${name}:`;
  const said = event.tags.filter((tag) => tag.startsWith(start)).map((tag) => tag.slice(start.length));
  if (said.length > 0) return said;
  const field = [FIELDS, UNLISTED].find((fields) => Object.hasOwn(fields, name))?.[name];
  return [field?.(event) ?? ''];
};

/** A test of one value; a text instead: the reason why the expression is malformed. */
const valueTest = ({ op, value }: LabelMatcher): ((text: string) => boolean) | string =>
  op === '=' || op === '!=' ? (text) => text === value : linearPattern(value);

/** Returns the reason why it matches nothing; null: it may match. */
export const labelProblem = (matcher: LabelMatcher): string | null => {
  const test = valueTest(matcher);
  return typeof test === 'string' ? test : null;
};

const isNegative = ({ op }: LabelMatcher): boolean => op === '!=' || op === '!~';

/** Tests the values of one label: one must match, and none that is excluded. Malformed expressions match nothing. */
export const valuesTest = (matcher: LabelMatcher): ((values: readonly string[]) => boolean) => {
  const test = valueTest(matcher);
  if (typeof test === 'string') return () => false;
  return isNegative(matcher) ? (values) => !values.some(test) : (values) => values.some(test);
};

export const labelTest = (matcher: LabelMatcher): ((event: Labelled) => boolean) => {
  const test = valuesTest(matcher);
  return (event) => test(labelValues(event, matcher.name));
};

/** True if an event without the label matches: a silence of such conditions alone would match almost everything. */
export const matchesAbsent = (matcher: LabelMatcher): boolean => valuesTest(matcher)(['']);
