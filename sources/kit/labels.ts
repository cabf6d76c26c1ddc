import { isPlaceholder } from '#domain/event/placeholder.ts';
import { isRecord } from '#domain/record-of.ts';
import { MAX_NAME, textOf } from './text.ts';

/** Named values that a sender attaches: labels, tags, dimensions, attributes. */
export interface Labels {
  /** Labels by lower-case name; the first of several values, one of which may be a placeholder (`namedBy`). */
  readonly byName: ReadonlyMap<string, string>;
  /** `name:value`, or the bare word of a tag without value; in the order sent, without placeholder values. */
  readonly tags: readonly string[];
  /** Pairs as sent, for fingerprints. */
  readonly pairs: readonly (readonly [string, string])[];
}

const MOST = 500;
/** Labels of which `none` and `unknown` are values. */
const STATE_LIKE = /^(?:severity|priority|level|state|status)$/i;
/** True if a label has a meaningful value. */
export const isSaid = (name: string, value: string): boolean => !isPlaceholder(value) || STATE_LIKE.test(name);
const nameOf = (value: unknown): string | undefined => textOf(value, MAX_NAME);

function collect(pairs: Iterable<readonly [string, string | undefined]>): Labels {
  const byName = new Map<string, string>();
  const tags: string[] = [];
  const kept: (readonly [string, string])[] = [];
  for (const [name, value] of pairs) {
    if (kept.length >= MOST) break;
    kept.push([name, value ?? '']);
    if (value === undefined) tags.push(name);
    else if (isSaid(name, value)) tags.push(`${name}:${value}`);
    const key = name.toLowerCase();
    if (value !== undefined && !byName.has(key)) byName.set(key, value);
  }
  return { byName, tags, pairs: kept };
}

export const NO_LABELS: Labels = { byName: new Map(), tags: [], pairs: [] };

/** `service:checkout` or a bare word. */
function pairOf(word: string): readonly [string, string | undefined] {
  const colon = word.indexOf(':');
  return colon <= 0 ? [word, undefined] : [word.slice(0, colon).trim(), word.slice(colon + 1).trim()];
}

/** One entry of a list: `"a:b"`, `{ name | tag | key | Key, value | Value }`. */
function entryOf(entry: unknown): readonly [string, string | undefined] | undefined {
  if (!isRecord(entry)) {
    const word = nameOf(entry);
    return word === undefined ? undefined : pairOf(word);
  }
  const name = nameOf(entry.name ?? entry.tag ?? entry.key ?? entry.Key ?? entry.Name);
  return name === undefined ? undefined : [name, nameOf(entry.value ?? entry.Value)];
}

function* entriesOf(value: Readonly<Record<string, unknown>>): Generator<readonly [string, string | undefined]> {
  for (const name of Object.keys(value)) {
    const one = value[name];
    for (const part of Array.isArray(one) ? one.slice(0, MOST) : [one]) {
      const text = nameOf(part) ?? (part === '' ? undefined : null);
      if (text !== null) yield [name.slice(0, MAX_NAME), text];
    }
  }
}

/** Reads maps of text or lists of text, lists of pairs, and comma-separated text; anything else has no labels. */
export function labelsOf(value: unknown): Labels {
  if (typeof value === 'string') return collect(wordsOf(value).map(pairOf));
  if (Array.isArray(value))
    return collect(
      value
        .slice(0, MOST)
        .map(entryOf)
        .filter((pair) => pair !== undefined),
    );
  return isRecord(value) ? collect(entriesOf(value)) : NO_LABELS;
}

const wordsOf = (text: string): string[] =>
  text
    .slice(0, 64_000)
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export const mergeLabels = (...all: readonly Labels[]): Labels => collect(pairsOf(all));

function* pairsOf(all: readonly Labels[]): Generator<readonly [string, string | undefined]> {
  for (const labels of all) for (const tag of labels.pairs) yield [tag[0], tag[1] === '' ? undefined : tag[1]];
}

/** The value of the first of these names that has one. */
export function pick(labels: Labels, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = labels.byName.get(name);
    if (value) return value;
  }
  return undefined;
}

/** Returns the name from a label; a placeholder names nothing. */
export function namedBy({ byName }: Pick<Labels, 'byName'>, label: string): string | undefined {
  const value = byName.get(label);
  return value === undefined || isPlaceholder(value) ? undefined : value;
}

const pickName = (labels: Labels, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = namedBy(labels, name);
    if (value !== undefined) return value;
  }
  return undefined;
};

const SERVICE = ['service', 'service_name', 'service.name', 'servicename', 'svc'];
const APPLICATION =
  'application app app_name application_name app.kubernetes.io/name app_kubernetes_io_name service.namespace service_namespace'.split(
    ' ',
  );
const ENVIRONMENT = [
  'environment',
  'env',
  'deployment.environment.name',
  'deployment.environment',
  'deployment_environment',
  'deployment_environment_name',
  'stage',
];
const NAMESPACE = ['namespace', 'k8s.namespace.name', 'k8s_namespace_name', 'namespace_name', 'kube_namespace'];
/** Namespaces that hold a platform, not an application. */
const PLATFORM = /^(?:default|kube-.*|.*-system|monitoring|observability|logging|prometheus|grafana)$/;

export interface Belonging {
  readonly service?: string;
  readonly application?: string;
  readonly environment?: string;
}

/**
 * Service, application and environment by their usual names; a Kubernetes namespace serves as the application. `job` is
 * neither.
 */
export function belongingOf(labels: Labels): Belonging {
  const namespace = pickName(labels, NAMESPACE);
  const service = pickName(labels, SERVICE);
  const application = pickName(labels, APPLICATION) ?? (namespace && !PLATFORM.test(namespace) ? namespace : undefined);
  const environment = pickName(labels, ENVIRONMENT);
  return {
    ...(service !== undefined && { service }),
    ...(application !== undefined && { application }),
    ...(environment !== undefined && { environment }),
  };
}
