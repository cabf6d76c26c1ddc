import { CLEAR_ERRORS, type Complaint, KINDS } from './complaint-kinds.ts';
import { KNOWN, type KnownPattern } from './known-patterns.ts';

/** The fields of an event that name its complaint. */
export interface Complaining {
  readonly title: string;
  readonly hostname?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
}

/** Faults that stop their system, even when no other word says so. */
const STOPPING: ReadonlySet<KnownPattern> = new Set([
  'host_down',
  'link_down',
  'power',
  'disk_full',
  'database_down',
  'out_of_memory',
  'dns',
]);

/** Categories and tags that name a change beyond doubt. */
const CHANGES: ReadonlySet<string> = new Set(
  ['change', 'deployment', 'deploy', 'release'].flatMap((word) => [word, `category:${word}`, `type:${word}`]),
);

/** Whether a category names a change. */
export const isChangeCategory = (category: string | undefined): boolean =>
  category !== undefined && CHANGES.has(category.trim().toLowerCase());

/** Whether a tag names a change, as most senders write it. */
export const isChangeTag = (tag: string): boolean => CHANGES.has(tag);

const isMarkedChange = ({ category, tags = [] }: Complaining): boolean =>
  isChangeCategory(category) || tags.some((tag) => CHANGES.has(tag.trim().toLowerCase()));

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9%.]+/g, ' ')
    .replace(/\.(?= |$)/g, '')
    .trim();

/** `NodeDown` as two words. */
const split = (text: string): string =>
  plain(text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' '));

/** `web01 is DOWN`, as network monitors title what is wrong with the host itself. */
const isHostItself = (text: string, hostname: string | undefined): boolean =>
  hostname !== undefined &&
  /^ (?:host )?(?:is )?(?:down|unreachable)\b/.test(text.slice(plain(hostname).length)) &&
  text.startsWith(plain(hostname));

function knownOf(texts: readonly string[], complaining: Complaining): KnownPattern | null {
  if (isMarkedChange(complaining)) return 'change';
  for (const [known, pattern] of KNOWN) if (texts.some((text) => pattern.test(text))) return known;
  return isHostItself(texts[0] ?? '', complaining.hostname) ? 'host_down' : null;
}

function kindOf(texts: readonly string[], known: KnownPattern | null): Complaint['kind'] {
  if (known !== null && STOPPING.has(known)) return 'down';
  const [kind = 'unknown'] = KINDS.find(([, pattern]) => texts.some((text) => pattern.test(text))) ?? [];
  return kind === 'latency' && texts.some((text) => CLEAR_ERRORS.test(text)) ? 'errors' : kind;
}

/** Without one of these a title is no known change. */
const CHANGE_WORDS = /deploy|release|roll|config|restarted|upgraded/;

/** Whether a title by itself says that something was changed or deployed. */
export const isChangeTitle = (title: string): boolean =>
  CHANGE_WORDS.test(title.toLowerCase()) && complaintOf({ title }).known === 'change';

/** The title in lower case without marks, as it stands and with `NodeDown` taken apart. */
export const plainTexts = (title: string): string[] => [...new Set([plain(title), split(title)])];

/** Cause and effect by the words of a title and a clear category or tag (docs/specification.md §8). */
export function complaintOf(complaining: Complaining): Complaint {
  const texts = plainTexts(complaining.title);
  const known = knownOf(texts, complaining);
  return { kind: kindOf(texts, known), known };
}

/** Whether it tells of a change, which is over when it is made, and not of a fault. */
export const isChange = (complaining: Complaining): boolean =>
  isMarkedChange(complaining) || isChangeTitle(complaining.title);
