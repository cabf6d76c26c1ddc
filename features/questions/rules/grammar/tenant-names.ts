import type { KnownNames, NameFilter } from './names.ts';
import { ENVIRONMENTS } from './words.ts';

/** Names of a tenant, as they are stored. */
export interface TenantNames {
  readonly services: readonly { readonly id: string; readonly name: string }[];
  /** Service names on events. */
  readonly serviceTexts: readonly string[];
  readonly sources: readonly string[];
  readonly environments: readonly string[];
  readonly ciTypes: readonly string[];
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
/** Lower case, with single blanks between its words. */
export const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, ' ');
const environmentOf = (text: string): string => ENVIRONMENTS.get(text.toLowerCase()) ?? text.toLowerCase();

/** Kinds that words of a question may name; a name of several kinds is of the first one here. */
export const knownNames = (names: TenantNames): KnownNames => {
  const known = new Map<string, NameFilter>();
  const add = (kind: NameFilter, texts: readonly string[]): void => {
    for (const text of texts)
      for (const form of new Set([text.toLowerCase(), plain(text)])) if (!known.has(form)) known.set(form, kind);
  };
  add(
    'service',
    names.services.map(({ name }) => name),
  );
  add('source', names.sources);
  add('environment', names.environments);
  add('service', names.serviceTexts);
  add('ci_type', names.ciTypes);
  return known;
};

export const isSameEnvironment = (one: string, other: string): boolean => environmentOf(one) === environmentOf(other);

/** Stored names that match a name of the question. */
export const namedEnvironments = (said: string, { environments }: TenantNames): string[] =>
  environments.filter((one) => environmentOf(one) === environmentOf(said));
export const namedSources = (said: string, { sources }: TenantNames): string[] =>
  sources.filter((one) => same(one, said) || plain(one) === plain(said));
export const namedServiceTexts = (said: string, { serviceTexts }: TenantNames): string[] =>
  serviceTexts.filter((one) => plain(one) === plain(said));
export const namedServices = (said: string, { services }: TenantNames): TenantNames['services'] =>
  services.filter(({ id, name }) => id === said || plain(name) === plain(said));
/** `db` is a database, `vm` a virtual machine. */
export const namedCiTypes = (said: string, { ciTypes }: TenantNames): string[] =>
  ciTypes.filter((one) => plain(one) === plain(said) || TYPE_FORMS.get(plain(one)) === plain(said));
/** Servers are virtual machines, where no type has that name. */
export const meantCiTypes = (said: string, names: TenantNames): string[] => {
  const found = namedCiTypes(said, names);
  return found.length === 0 && plain(said) === 'server' ? namedCiTypes('virtual machine', names) : found;
};
const TYPE_FORMS: ReadonlyMap<string, string> = new Map([
  ['db', 'database'],
  ['vm', 'virtual machine'],
  ['host', 'server'],
  ['lb', 'load balancer'],
]);
