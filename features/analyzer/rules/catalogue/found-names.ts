import { firstItem, itemAt } from '#domain/assert.ts';
import { softwareNamed } from './look-up.ts';
import { CATALOGUE, type Software, softwareKey } from './software.ts';

/** Words of the longest name. */
const LONGEST = Math.max(...CATALOGUE.flatMap(({ names }) => names.map((name) => name.split(' ').length)));
const MAX_WORDS = 4_000;
/** First words of names: most words of a text are none of these. */
const FIRST_WORDS: ReadonlySet<string> = new Set(
  CATALOGUE.flatMap(({ names }) => names.map((name) => softwareKey(firstItem(name.split(' '))))),
);

/** Names that are words of their own: they count with a capital letter only. */
const ORDINARY: ReadonlySet<string> = new Set(
  (
    'bind caddy celery conductor confluence consul dc docker eclipse envoy ignite jetty kong loki nexus node nomad oracle pg pulsar ' +
    'puma puppet quartz rabbit salt solr sonar spark spring squid traefik tibco unbound varnish vault beats was rails python influx ' +
    'elk lb sap php ad dns share rdp kea liberty hana mongo exchange vertica bacula nats nagios icinga graylog jira'
  ).split(' '),
);

interface Word {
  readonly text: string;
  /** Place among the words. */
  readonly at: number;
}

/** A name that stands in a text. */
interface FoundName {
  readonly software: Software;
  /** Text as it is written there. */
  readonly text: string;
}

export interface ReadText {
  readonly names: readonly FoundName[];
  /** Words that belong to no name, in their order. */
  readonly others: readonly Word[];
}

const WORDS = /[\p{L}\p{N}](?:[\p{L}\p{N}.+#/_-]{0,62}[\p{L}\p{N}+#])?/gu;

export const wordsOf = (text: string): string[] => (text.match(WORDS) ?? []).slice(0, MAX_WORDS);

const isPlain = (words: readonly string[]): boolean =>
  words.length === 1 && ORDINARY.has(firstItem(words).toLowerCase()) && words[0] === firstItem(words).toLowerCase();

/** The longest name that begins at this word. */
function nameAt(words: readonly string[], at: number): { software: Software; count: number } | null {
  if (!FIRST_WORDS.has(firstItem(softwareKey(itemAt(words, at)).split(' ')))) return null;
  for (let count = Math.min(LONGEST, words.length - at); count > 0; count--) {
    const some = words.slice(at, at + count);
    const software = isPlain(some) ? null : softwareNamed(softwareKey(some.join(' ')));
    if (software !== null) return { software, count };
  }
  return null;
}

/** Software of the catalogue that a text names, and its other words. Longer names go before shorter ones. */
export function namesIn(text: string): ReadText {
  const words = wordsOf(text);
  const names: FoundName[] = [];
  const others: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const found = nameAt(words, at);
    if (found === null) {
      others.push({ text: itemAt(words, at), at });
      at += 1;
      continue;
    }
    names.push({ software: found.software, text: words.slice(at, at + found.count).join(' ') });
    at += found.count;
  }
  return { names, others };
}
