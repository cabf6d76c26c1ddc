/** Names of the CIs and relationships that a run changes. */
import { kubernetesObject } from '#domain/topology/kubernetes-keys.ts';

/** Maximum number of names per list. */
const SHOWN = 20;
const KEY = 'key ';
const NAME = 'name ';

export interface ChangedNames {
  readonly created: string[];
  readonly updated: string[];
  /** No longer reported, within the grace. */
  readonly missing: string[];
  readonly ended: string[];
}
export interface RunChanges {
  readonly cis: ChangedNames;
  readonly relationships: ChangedNames;
}

/** `k8s:prod/service/shop/front` as `service shop/front`. */
const textOf = (key: string): string => {
  const { kind, namespace, name } = kubernetesObject(key) ?? {};
  if (kind === undefined || name === undefined) return key;
  return namespace ? `${kind} ${namespace}/${name}` : `${kind} ${name}`;
};

const ciText = (key: string): string => {
  if (key.startsWith(KEY)) return textOf(key.slice(KEY.length));
  return key.startsWith(NAME) ? String((JSON.parse(key.slice(NAME.length)) as readonly unknown[])[0]) : textOf(key);
};
/** The key of a relationship is that of `edgeKey`. */
const edgeText = (key: string): string => {
  const [type, source, , target] = JSON.parse(key) as [string, string, unknown, string];
  return `${textOf(source)} ${type.replaceAll('_', ' ')} ${textOf(target)}`;
};

type ChangedKeys = { readonly [K in keyof ChangedNames]: readonly string[] };
const named = (keys: ChangedKeys, text: (key: string) => string): ChangedNames => {
  const few = (all: readonly string[]): string[] => all.slice(0, SHOWN).map(text);
  return { created: few(keys.created), updated: few(keys.updated), missing: few(keys.missing), ended: few(keys.ended) };
};

/** Names by the keys of the sets. */
export const runChanges = (cis: ChangedKeys, edges: ChangedKeys): RunChanges => ({
  cis: named(cis, ciText),
  relationships: named(edges, edgeText),
});
