import { isRecord } from '#domain/record-of.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { keyWords } from '#domain/topology/key-words.ts';
import { lookupOf } from '#domain/topology/lookup.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { type Network, processesIn } from '#features/discovery/rules/network.ts';
import { portKeyword, processKeyword, softwareKeyword, typeKeyword } from './keywords.ts';

/** Per CI. */
const MAX_SOFTWARE = 200;
const MAX_VALUES = 60;
const MAX_VALUE = 100;

/** `software`, `installedPackages`, `applications` …, in words. */
const SOFTWARE_WORDS = /^(software|packages?|applications?|products?|middleware|database|programs?)$/;
const PORT_WORDS = /^ports?$/;
const NAME_KEYS = ['name', 'software', 'package', 'product'];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const entriesOf = ({ attributes, customFields }: Ci) => [
  ...Object.entries(attributes),
  ...Object.entries(customFields),
];
const named = (key: string, words: RegExp): boolean => keyWords(key).some((word) => words.test(word));

/** A text, or the name in a structure. */
const nameIn = (value: unknown): string | null => {
  const name = isRecord(value) ? NAME_KEYS.map((key) => value[key]).find((one) => typeof one === 'string') : value;
  return typeof name === 'string' && name.trim() !== '' && name.length <= MAX_VALUE ? name.trim() : null;
};

/** An installed program in the fields of the CI. */
export interface InstalledSoftware {
  readonly name: string;
  readonly version: string | null;
}

const softwareIn = (value: unknown): InstalledSoftware[] => {
  const name = nameIn(value);
  if (name === null) return [];
  const version = isRecord(value) ? value.version : null;
  return [{ name, version: typeof version === 'string' && version !== '' ? version.slice(0, MAX_VALUE) : null }];
};

/** The software of a CI by its own attributes, each name once. */
export const installedOn = (ci: Ci): InstalledSoftware[] => {
  const values = entriesOf(ci).filter(([key]) => named(key, SOFTWARE_WORDS));
  const all = values.flatMap(([, value]) => listOf(value)).flatMap(softwareIn);
  return [...new Map(all.toReversed().map((one) => [one.name, one])).values()].reverse().slice(0, MAX_SOFTWARE);
};
const softwareOf = (ci: Ci): string[] => installedOn(ci).map(({ name }) => name);

/** Returns the open ports in its fields. */
export const openPorts = (ci: Ci): number[] =>
  entriesOf(ci)
    .filter(([key]) => named(key, PORT_WORDS))
    .flatMap(([, value]) => listOf(value))
    .map(Number)
    .filter((port) => Number.isInteger(port) && port > 0 && port < 65_536);

/** Plain values of its fields, without numbers. */
const valuesOf = (ci: Ci): string[] =>
  entriesOf(ci)
    .flatMap(([, value]) => listOf(value))
    .filter((value) => typeof value === 'string' && value.length <= MAX_VALUE && !/^[\d.,\s]*$/.test(value))
    .slice(0, MAX_VALUES) as string[];

/** Search document of a CI: its names and addresses, software and listening ports. */
export function ciDocument(ci: Ci, network: Network): SearchDocument {
  const { hostname, fqdn, addresses } = lookupOf(ci);
  const software = softwareOf(ci);
  const processes = processesIn(network);
  const ports = [...network.listeners.map(({ port }) => port), ...openPorts(ci)];
  const names = [ci.externalKey, hostname, fqdn, ...addresses].filter((name) => name);
  const seen = network.listeners.map(({ seenAt }) => seenAt).concat(network.connections.map(({ seenAt }) => seenAt));
  return {
    kind: 'ci',
    id: ci.id,
    title: ci.name,
    text: [...new Set([ci.type, ci.description ?? '', ...names, ...software, ...processes, ...valuesOf(ci)])].join(
      '\n',
    ),
    keywords: [
      typeKeyword(ci.type),
      ...ports.map(portKeyword),
      ...processes.map(processKeyword),
      ...software.map(softwareKeyword),
    ],
    at: Math.max(ci.updatedAt, ...seen),
    facts: { type: ci.type, status: ci.status },
  };
}
