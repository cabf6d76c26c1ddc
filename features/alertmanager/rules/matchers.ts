import { isLabelName, labelProblem } from '#domain/event/silences/labels.ts';
import { LABEL_OPERATORS, type LabelMatcher, type SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
import { invalid } from '#domain/fault.ts';

/** A matcher as clients of Alertmanager write it. */
export interface WrittenMatcher {
  readonly name: string;
  readonly value: string;
  readonly isRegex: boolean;
  readonly isEqual?: boolean | undefined;
}

/** Parts of our silences that are no labels, in the dialect of Alertmanager. */
const PART = 'faultline_';

const opOf = ({ isRegex, isEqual = true }: WrittenMatcher): LabelMatcher['op'] =>
  isRegex ? (isEqual ? '=~' : '!~') : isEqual ? '=' : '!=';

const writtenLabel = ({ name, op, value }: LabelMatcher): WrittenMatcher => ({
  name,
  value,
  isRegex: op.endsWith('~'),
  isEqual: op.startsWith('='),
});

/** Returns a silence's matcher so that `matcherOf` returns the same. */
export const writtenOf = ({ labels = [], ...parts }: SilenceMatcher): WrittenMatcher[] => [
  ...labels.map(writtenLabel),
  ...Object.entries(parts).map(([part, value]) => ({
    name: PART + part,
    value: [value].flat().join(','),
    isRegex: false,
    isEqual: true,
  })),
];

/** Returns the matcher of a silence as our own interface accepts it. Throws Fault `invalid`. */
export const matcherOf = (matchers: readonly WrittenMatcher[]): Record<string, unknown> => {
  const labels: LabelMatcher[] = [];
  const parts: Record<string, unknown> = {};
  for (const matcher of matchers) {
    const { name, value } = matcher;
    const op = opOf(matcher);
    if (!name.startsWith(PART)) labels.push({ name, op, value });
    else if (op !== '=') throw invalid(name, 'expected the operator =');
    else parts[name.slice(PART.length)] = name === `${PART}severity` ? value.split(',') : value;
  }
  return labels.length === 0 ? parts : { ...parts, labels };
};

const BARE = /^[^",{}=!~\s]*$/;
const QUOTED = /^"(?:[^"\\]|\\.)*"$/s;
/** One matcher: a name, an operator and a value, which may be quoted. */
const MATCHER = /\s*([^\s=!~"{},]+|"(?:[^"\\]|\\.)*")\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*"|[^",]*)\s*(?:,|$)/sy;

const unquoted = (text: string): string | null => {
  if (QUOTED.test(text)) return text.slice(1, -1).replace(/\\(.)/gs, (_, one: string) => (one === 'n' ? '\n' : one));
  return BARE.test(text) ? text : null;
};

/** Reads `{alertname="A",severity=~"critical|major"}`, with or without braces. Throws Fault `invalid`. */
export const parsedMatchers = (text: string): LabelMatcher[] => {
  const braced = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1] ?? text;
  const matchers: LabelMatcher[] = [];
  MATCHER.lastIndex = 0;
  for (let at = 0; at < braced.length && braced.slice(at).trim() !== ''; at = MATCHER.lastIndex) {
    const [, name = '', op = '', said = ''] = MATCHER.exec(braced) ?? [];
    const [known, value] = [LABEL_OPERATORS.find((one) => one === op), unquoted(said.trim())];
    const label = unquoted(name);
    if (known === undefined || label === null || value === null || !isLabelName(label))
      throw invalid('filter', `bad matcher format: ${braced.slice(at, at + 200)}`);
    const matcher = { name: label, op: known, value };
    const problem = labelProblem(matcher);
    if (problem !== null) throw invalid('filter', problem);
    matchers.push(matcher);
  }
  return matchers;
};
