import { CLEAR_ERRORS, type Complaint, KINDS } from './complaint-kinds.ts';
import { KNOWN, type KnownPattern, words } from './known-patterns.ts';

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

/** Categories and tags that name a change. */
const CHANGES: ReadonlySet<string> = new Set(
  ['change', 'deployment', 'deploy', 'release'].flatMap((word) => [word, `category:${word}`, `type:${word}`]),
);

/** Whether a category names a change. */
export const isChangeCategory = (category: string | undefined): boolean =>
  category !== undefined && CHANGES.has(category.trim().toLowerCase());

/** Whether a tag names a change, as most senders write it. */
export const isChangeTag = (tag: string): boolean => CHANGES.has(tag);

/** Whether it tells of a change, which is over when it is made, and not of a fault. */
export const isChange = ({ category, tags = [] }: Complaining): boolean =>
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

const knownByWords = (texts: readonly string[], patterns: typeof KNOWN): KnownPattern | undefined =>
  patterns.find(([, pattern]) => texts.some((text) => pattern.test(text)))?.[0];

/** That a title tells of a change counts when an event begins (`CHANGE_TAG`), and not again afterwards. */
const FAULTS = KNOWN.filter(([known]) => known !== 'change');

function knownOf(texts: readonly string[], complaining: Complaining): KnownPattern | null {
  if (isChange(complaining)) return 'change';
  const known = knownByWords(texts, FAULTS);
  if (known !== undefined) return known;
  return isHostItself(texts[0] ?? '', complaining.hostname) ? 'host_down' : null;
}

function kindOf(texts: readonly string[], known: KnownPattern | null): Complaint['kind'] {
  if (known !== null && STOPPING.has(known)) return 'down';
  const [kind = 'unknown'] = KINDS.find(([, pattern]) => texts.some((text) => pattern.test(text))) ?? [];
  return kind === 'latency' && texts.some((text) => CLEAR_ERRORS.test(text)) ? 'errors' : kind;
}

/** Without one of these a title is no known change. */
const CHANGE_WORDS = /deploy|release|roll|config|restarted|upgraded/;
/** Something is wrong with what was changed, or a monitor compares: then it is a fault, which lasts. */
const WRONG = words(
  'fail(?:s|ed|ing|ure|ures)?',
  'errors?',
  'exceptions?',
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

/** Tag of an event whose title alone says that it is a change. */
export const CHANGE_TAG = 'type:change';

/** Whether a title that tells of a change says that something is wrong with it. */
export const isChangeGoneWrong = (title: string): boolean =>
  COMPARES.test(title) || plainTexts(title).some((text) => WRONG.test(text));

/** Whether a title by itself says that something was changed or deployed, and nothing of a failure. */
export const isChangeTitle = (title: string): boolean =>
  CHANGE_WORDS.test(title.toLowerCase()) &&
  knownByWords(plainTexts(title), KNOWN) === 'change' &&
  !isChangeGoneWrong(title);

/** The title in lower case without marks, as it stands and with `NodeDown` taken apart. */
export const plainTexts = (title: string): string[] => [...new Set([plain(title), split(title)])];

/** Cause and effect by the words of a title and, for a change, by its category or tag (docs/specification.md §8). */
export function complaintOf(complaining: Complaining): Complaint {
  const texts = plainTexts(complaining.title);
  const known = knownOf(texts, complaining);
  return { kind: kindOf(texts, known), known };
}
