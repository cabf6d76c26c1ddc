import { linkOf } from './safe-address.ts';

interface EventLink {
  readonly words: string;
  readonly address: string;
}

const MAX_DEPTH = 4;
const MAX_LINKS = 6;
const MAX_VALUES = 500;

/** The first that fits names the link, by the name of the field that has it. */
const WORDS: readonly (readonly [part: string, words: string])[] = [
  ['runbook', 'Runbook'],
  ['playbook', 'Runbook'],
  ['dashboard', 'Dashboard'],
  ['panel', 'Panel'],
  ['silence', ''],
  ['ticket', 'Ticket'],
  ['incident', 'Ticket'],
  ['issue', 'Ticket'],
  ['generator', 'Source'],
  ['alert', 'Source'],
  ['problem', 'Source'],
  ['url', 'Source'],
  ['link', 'Source'],
  ['href', 'Source'],
];

const wordsOf = (field: string): string => WORDS.find(([part]) => field.toLowerCase().includes(part))?.[1] ?? '';

/** Addresses of the web in the details of an event, as its source sent them: runbook, dashboard, ticket, source. */
export const linksOf = (details: Readonly<Record<string, unknown>>): readonly EventLink[] => {
  const found = new Map<string, string>();
  let seen = 0;
  const search = (value: unknown, field: string, depth: number): void => {
    seen += 1;
    if (seen > MAX_VALUES || depth > MAX_DEPTH) return;
    if (typeof value === 'string') {
      const [address, words] = [linkOf(value), wordsOf(field)];
      if (address !== null && words !== '' && !found.has(address)) found.set(address, words);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) search(part, Array.isArray(value) ? field : name, depth + 1);
    }
  };
  search(details, '', 0);
  const order = WORDS.map(([, words]) => words);
  return [...found]
    .map(([address, words]) => ({ words, address }))
    .sort((a, b) => order.indexOf(a.words) - order.indexOf(b.words))
    .slice(0, MAX_LINKS);
};

const TAIL: ReadonlySet<string> = new Set(').,;>');
/** Drops punctuation around a word. */
const bare = (word: string): string => {
  let end = word.length;
  while (end > 0 && TAIL.has(word.charAt(end - 1))) end--;
  return word.slice(/^[(<]/.test(word) ? 1 : 0, end);
};

/** `INC-4711`: the last part of the path names a ticket or page; else the host. */
export const shownOf = (address: string): string => {
  const { host, pathname } = new URL(address);
  const last = pathname.split('/').findLast((part) => part !== '');
  try {
    return decodeURIComponent(last ?? host);
  } catch {
    return last ?? host;
  }
};

/** Addresses in a text that a user typed. */
export const linksOfText = (text: string): readonly string[] =>
  text
    .split(/\s+/)
    .map((word) => linkOf(bare(word)))
    .filter((address) => address !== null);
