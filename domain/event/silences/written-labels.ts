import { invalid } from '#domain/fault.ts';
import { isLabelName, labelProblem } from './labels.ts';
import { LABEL_OPERATORS, type LabelMatcher } from './silence-rule.ts';

/* Matchers of labels as Prometheus and Alertmanager write them. */

const BARE = /^[^",{}=!~\s]*$/;
const QUOTED = /^"(?:[^"\\]|\\.)*"$/s;
/** One matcher: a name, an operator and a value, which may be quoted. */
const MATCHER = /\s*([^\s=!~"{},]+|"(?:[^"\\]|\\.)*")\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*"|[^",]*)\s*(?:,|$)/sy;

const unquoted = (text: string): string | null => {
  if (QUOTED.test(text)) return text.slice(1, -1).replace(/\\(.)/gs, (_, one: string) => (one === 'n' ? '\n' : one));
  return BARE.test(text) ? text : null;
};

/** Reads `{alertname="A",severity=~"critical|major"}`, with or without braces. Throws Fault `invalid`. */
export const parsedMatchers = (text: string, field = 'filter'): LabelMatcher[] => {
  const braced = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1] ?? text;
  const matchers: LabelMatcher[] = [];
  MATCHER.lastIndex = 0;
  for (let at = 0; at < braced.length && braced.slice(at).trim() !== ''; at = MATCHER.lastIndex) {
    const [, name = '', op = '', said = ''] = MATCHER.exec(braced) ?? [];
    const [known, value] = [LABEL_OPERATORS.find((one) => one === op), unquoted(said.trim())];
    const label = unquoted(name);
    if (known === undefined || label === null || value === null || !isLabelName(label))
      throw invalid(field, `bad matcher format: ${braced.slice(at, at + 200)}`);
    const matcher = { name: label, op: known, value };
    const problem = labelProblem(matcher);
    if (problem !== null) throw invalid(field, problem);
    matchers.push(matcher);
  }
  return matchers;
};
