import type { LabelMatcher, SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
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
const LISTS = ['severity', 'ciIds'];

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
    const part = name.slice(PART.length);
    if (!name.startsWith(PART)) labels.push({ name, op, value });
    else if (op !== '=') throw invalid(name, 'expected the operator =');
    else parts[part] = LISTS.includes(part) ? value.split(',') : value;
  }
  return labels.length === 0 ? parts : { ...parts, labels };
};
