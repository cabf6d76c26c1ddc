import type { EvidencePack } from '#domain/ai/evidence.ts';

/** Pseudonyms of host names and addresses, and back. */
export interface Pseudonyms {
  hide(text: string): string;
  reveal(text: string): string;
}

export const NO_PSEUDONYMS: Pseudonyms = { hide: (text) => text, reveal: (text) => text };

const IPV4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)/g;
const IPV6 = /(?<![\w:.])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?![\w:])/g;
const DOMAIN_NAME = /(?<![\w.-])[A-Za-z0-9][\w-]{0,62}(?:\.[A-Za-z0-9][\w-]{0,62}){1,8}(?![\w-])/g;
/** Facts that hold one host or address. */
const HOST_FACT = /host|fqdn|address|^ip/i;
const MIN_NAME = 2;
const MAX_NAMES = 500;

const isAddress = (text: string): boolean => /^[\d.]+$/.test(text) || text.includes(':');

const namesIn = (text: string): string[] =>
  [IPV4, IPV6, DOMAIN_NAME]
    .flatMap((form) => [...text.matchAll(form)].map(([name]) => name))
    .filter((name) => !/^[\d.]{1,6}$/.test(name) && /[a-zA-Z:]|^\d+\.\d+\.\d+\.\d+$/.test(name));

const single = (text: string): string[] => (text.length >= MIN_NAME && !/\s/.test(text) ? [text] : []);

const hostsOf = (pack: EvidencePack): string[] =>
  pack.flatMap(({ kind, label, facts }) => [
    ...(kind === 'ci' ? single(label) : []),
    ...facts.flatMap(({ name, value }) => (typeof value === 'string' && HOST_FACT.test(name) ? single(value) : [])),
    ...[label, ...facts.map(({ value }) => String(value))].flatMap(namesIn),
  ]);

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
/** Finds any of the words; longer ones first, since one may begin with another. */
const anyOf = (words: readonly string[]): RegExp =>
  new RegExp(
    `(?<![\\w-])(?:${words
      .toSorted((a, b) => b.length - a.length)
      .map(literally)
      .join('|')})(?![\\w-])`,
    'gi',
  );

/** Pseudonyms for the hosts and addresses of a pack, the same for the same pack. */
export const pseudonymsOf = (pack: EvidencePack): Pseudonyms => {
  const names = [...new Set(hostsOf(pack).map((name) => name.toLowerCase()))].slice(0, MAX_NAMES);
  if (names.length === 0) return NO_PSEUDONYMS;
  const spelled = new Map(hostsOf(pack).map((name) => [name.toLowerCase(), name]));
  const given = new Map(names.map((name, i) => [name, `${isAddress(name) ? 'addr' : 'host'}-x${i + 1}`]));
  const real = new Map([...given].map(([name, instead]) => [instead, spelled.get(name) ?? name]));
  const [hidden, shown] = [anyOf(names), anyOf([...real.keys()])];
  return {
    hide: (text) => text.replace(hidden, (name) => given.get(name.toLowerCase()) ?? name),
    reveal: (text) => text.replace(shown, (name) => real.get(name.toLowerCase()) ?? name),
  };
};
