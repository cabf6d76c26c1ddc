import { STOPPING_PATTERNS, type StockComplaint } from './alert-kinds.ts';
import { KNOWN, type KnownPattern, words } from './known-patterns.ts';
import { CLEAR_ERRORS, KINDS, type ProblemKind } from './problem-kinds.ts';
import { saidComplaint } from './stock-alerts.ts';

/** The fields of an event that name its problem. */
export interface ProblemFields {
  readonly title: string;
  readonly hostname?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
}

const STOPPING: ReadonlySet<KnownPattern> = new Set(STOPPING_PATTERNS);

/** Categories and tags that name a change. */
const CHANGES: ReadonlySet<string> = new Set(
  ['change', 'deployment', 'deploy', 'release'].flatMap((word) => [word, `category:${word}`, `type:${word}`]),
);

/** True if a category names a change. */
export const isChangeCategory = (category: string | undefined): boolean =>
  category !== undefined && CHANGES.has(category.trim().toLowerCase());

/** True if a tag names a change, as most senders write it. */
export const isChangeTag = (tag: string): boolean => CHANGES.has(tag);

/** True for a change, which is over when it is made, and not for a fault. */
export const isChange = ({ category, tags = [] }: ProblemFields): boolean =>
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

/** `web01 is DOWN`, the form in which network monitors title a failure of the host itself. */
const isHostItself = (text: string, hostname: string | undefined): boolean =>
  hostname !== undefined &&
  /^ (?:host )?(?:is )?(?:down|unreachable)\b/.test(text.slice(plain(hostname).length)) &&
  text.startsWith(plain(hostname));

const knownByWords = (texts: readonly string[], patterns: typeof KNOWN): KnownPattern | undefined =>
  patterns.find(([, pattern]) => texts.some((text) => pattern.test(text)))?.[0];

/** A title about a change counts when an event begins (`CHANGE_TAG`), and not again afterwards. */
const FAULTS = KNOWN.filter(([known]) => known !== 'change');

function knownOf(texts: readonly string[], complaining: ProblemFields): KnownPattern | null {
  if (isChange(complaining)) return 'change';
  const known = knownByWords(texts, FAULTS);
  if (known !== undefined) return known;
  return isHostItself(texts[0] ?? '', complaining.hostname) ? 'host_down' : null;
}

function kindOf(texts: readonly string[], known: KnownPattern | null): ProblemKind['kind'] {
  if (known !== null && STOPPING.has(known)) return 'down';
  const [kind = 'unknown'] = KINDS.find(([, pattern]) => texts.some((text) => pattern.test(text))) ?? [];
  return kind === 'latency' && texts.some((text) => CLEAR_ERRORS.test(text)) ? 'errors' : kind;
}

/** A title without any of these is no known change. */
const CHANGE_WORDS = /deploy|release|roll|config|restarted|upgraded/;
/** Words for a fault in the changed thing, or for a comparison by a monitor: then it is a fault, which lasts. */
const WRONG = words(
  'fail(?:s|ed|ing|ure|ures)?|errors?|exceptions?',
  'stuck|stalled|hung|hangs|hanging|blocked|frozen|looping|crash(?:ed|es|ing|loop(?:ing)?)?',
  'not|never|no|cannot|can t|won t|isn t|hasn t|didn t|doesn t|couldn t|unable|without',
  'time(?:outs?|d out)|too (?:long|slow|many|few|old|late)|slow|delayed|overdue|late|lag(?:ging)?',
  'exceed(?:s|ed|ing)?|deadline|incomplete|partial(?:ly)?|pending|waiting',
  'abort(?:s|ed|ing)?|cancel(?:l?ed)?|interrupted|rejected|refused|denied|forbidden|unauthorized|invalid',
  'broken|corrupt(?:ed|ion)?|missing|lost|mismatch(?:es)?|conflicts?|drift(?:ed)?|inconsistent|unexpected(?:ly)?',
  'down|outage|unavailable|unreachable|unhealthy|unresponsive|degraded|killed|panic|terminated|expired',
  'problems?|issues?|critical|alerts?|violat(?:es|ed|ions?)',
);
const COMPARES = /[<>≤≥]/;

/** Tag of an event whose title alone identifies it as a change. */
export const CHANGE_TAG = 'type:change';

/** True if a title about a change also contains a fault. */
export const isChangeGoneWrong = (title: string): boolean =>
  COMPARES.test(title) || plainTexts(title).some((text) => WRONG.test(text));

/** True if a title by itself describes a change or deployment, and no failure. */
export const isChangeTitle = (title: string): boolean =>
  CHANGE_WORDS.test(title.toLowerCase()) &&
  knownByWords(plainTexts(title), KNOWN) === 'change' &&
  !isChangeGoneWrong(title);

/** Returns the title in lower case without marks, unchanged and with `NodeDown` split. */
export const plainTexts = (title: string): string[] => [...new Set([plain(title), split(title)])];

/** Resources of a machine. */
const RESOURCES = words(
  'cpu|mem(?:ory)?|heap|swap|disks?(?: io)?|fs|filesystem|io|iowait|iops|threads?|fds?',
  'network (?:receive|transmit|in|out)|packets|softirq|load|inodes|gc',
);

/** True if a problem is a symptom that spreads to many: slowness, errors or traffic, with no resource named. */
export const isSpreading = ({ kind }: ProblemKind, title: string): boolean =>
  (kind === 'latency' || kind === 'errors' || kind === 'traffic') &&
  !plainTexts(title).some((text) => RESOURCES.test(text));

const isPattern = (complaint: StockComplaint): complaint is KnownPattern & StockComplaint =>
  KNOWN.some(([pattern]) => pattern === complaint);

/**
 * Kind and known cause of a complaint: the catalogue of stock alerts decides first, then the words of the title; a category or tag marks
 * a change (docs/specification.md §8).
 */
export function problemKindOf(complaining: ProblemFields): ProblemKind {
  const stock = isChange(complaining) ? undefined : saidComplaint(complaining);
  if (stock !== undefined && stock !== 'unknown')
    return isPattern(stock) ? { kind: 'down', known: stock } : { kind: stock, known: null };
  const texts = plainTexts(complaining.title);
  const known = knownOf(texts, complaining);
  return { kind: kindOf(texts, known), known };
}
