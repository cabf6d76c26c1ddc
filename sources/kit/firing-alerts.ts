/** The alerts of Prometheus inside a message of another format: Alertmanager and Grafana list them in `custom_details.firing`. */
import { isRecord } from '#domain/record-of.ts';
import { type Labels, labelsOf, mergeLabels, NO_LABELS } from './labels.ts';
import { parsedJson } from './text.ts';

/** Maximum of alerts, and of characters of their list. */
const MOST = 500;
const MAX_TEXT = 256 * 1024;

type Label = readonly [string, string];

/** ` - name = value` */
function labelIn(line: string): Label | null {
  const equals = line.indexOf(' = ');
  return line.startsWith(' - ') && equals > 3 ? [line.slice(3, equals), line.slice(equals + 3)] : null;
}

/** The text of the default templates: `Labels:` with a line for each, `Annotations:` likewise, `Source: …`. */
function fromText(text: string): Labels[] {
  const alerts: Label[][] = [];
  let isAmongLabels = false;
  for (const line of text.split('\n')) {
    const label = labelIn(line);
    if (label !== null && isAmongLabels) alerts.at(-1)?.push(label);
    if (label !== null) continue;
    isAmongLabels = line.trimEnd() === 'Labels:';
    if (isAmongLabels && alerts.push([]) > MOST) break;
  }
  return alerts.slice(0, MOST).map((pairs) => labelsOf(Object.fromEntries(pairs)));
}

const fromList = (alerts: readonly unknown[]): Labels[] =>
  alerts.slice(0, MOST).map((alert) => (isRecord(alert) ? labelsOf(alert.labels) : NO_LABELS));

/** Text or, from newer versions, a list or the JSON of one. */
function alertsOf(firing: unknown): Labels[] {
  if (Array.isArray(firing)) return fromList(firing);
  if (typeof firing !== 'string' || firing.length > MAX_TEXT) return [];
  const list = firing.startsWith('[') ? parsedJson(firing) : undefined;
  return Array.isArray(list) ? fromList(list) : fromText(firing);
}

/** The labels that all firing alerts have in common: a message about two hosts is about neither of them. */
export function commonLabels(details: unknown): Labels {
  const all = isRecord(details) ? alertsOf(details.firing) : [];
  const [head, ...others] = all;
  if (head === undefined) return NO_LABELS;
  // The gateway that reports several machines is common to them.
  const isRenamed = (name: string) => all.some(({ byName }) => byName.has(`exported_${name.toLowerCase()}`));
  const isCommon = ([name, value]: Label) => others.every(({ byName }) => byName.get(name.toLowerCase()) === value);
  return mergeLabels({ ...head, pairs: head.pairs.filter((pair) => isCommon(pair) && !isRenamed(pair[0])) });
}
