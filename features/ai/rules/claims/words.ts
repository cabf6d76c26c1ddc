/* Words of a claim that must occur in its evidence: numbers, names, IDs and addresses, recognized by their form. */

/** Characters around a word that do not belong to it. */
const AROUND: ReadonlySet<string> = new Set([...'"\'`()[]{}<>,;!?…“”‘’«»*„']);
const ENDS: ReadonlySet<string> = new Set(['.', ':', '-', '–', '—', '=', '/', '~']);
const MAX_WORD = 300;

const trimmed = (word: string): string => {
  let [from, to] = [0, word.length];
  while (from < to && (AROUND.has(word.charAt(from)) || word[from] === '~' || word[from] === '≈')) from += 1;
  while (to > from && (AROUND.has(word.charAt(to - 1)) || ENDS.has(word.charAt(to - 1)))) to -= 1;
  return word.slice(from, to);
};

export interface Word {
  readonly text: string;
  /** First of a sentence, where every word has a capital letter. */
  readonly isFirst: boolean;
}

/** The words of a text without the punctuation around them; ends of English genitives are cut. */
export const wordsOf = (text: string): Word[] => {
  let isFirst = true;
  return text
    .replaceAll(' %', '%')
    .split(/[\s·→–]/)
    .flatMap((raw) => {
      const word = trimmed(raw.slice(0, MAX_WORD)).replace(/['’]s$/, '');
      const found = word === '' ? [] : [{ text: word, isFirst }];
      if (word !== '') isFirst = false;
      if (/[.!?:]["')]?$/.test(raw)) isFirst = true;
      return found;
    });
};

/** Parts of compounds that name nothing. */
const PLAIN_PARTS: ReadonlySet<string> = new Set(
  (
    'a able about active after again all and any as at availability aware back based before being below best between border both ' +
    'by call case cause caused causes causing change changed check clear close common critical cross current cut data day days ' +
    'dependency depends depth detail down downstream due early end ended error errors even event events every fail failed failing ' +
    'failover failure fast fault first five follow for four free from full further general good grade ground group half hand ' +
    'hard health high hour hours how if impact in incident independent inter internal is it its known large last late later lead ' +
    'led less level life likely line load local long look loop low main major make many max mean mid min minor minute minutes ' +
    'more most multi multiple near net never new next night no non not now of off old on once one only open other out over own ' +
    'part peak per point post pre prior probable production quick range rate re read real recent related relevant repeat resolved ' +
    'right root run running same second seconds self semi serious service set several severe severity short side similar single ' +
    'six slow so soft start state step still stop sub such term the third three time times to top total trade traffic two type ' +
    'un under unplanned up upstream use used user users very week weeks well wide with work world write year zero'
  ).split(' '),
);

const isPlainCompound = (word: string): boolean =>
  /^[a-z]+(?:-[a-z]+){1,4}$/i.test(word) &&
  word
    .toLowerCase()
    .split('-')
    .every((part) => PLAIN_PARTS.has(part));

/** Words with capital letters in the middle of sentences that name nothing in particular. */
const PLAIN_CAPITALS: ReadonlySet<string> = new Set(['I', 'OK', 'No', 'A', 'CI', 'CIs', 'UTC']);
const FRACTIONS = /^(?:and\/or|w\/o|n\/a|e\.g|i\.e|etc|vs)$/i;

const NUMBER = /^[+\-−±]?[$€£]?\d{1,15}(?:[,.]\d{1,9}){0,5}(?:%|[a-zA-Zµ]{1,5}|x|×)?$/;
const UNITS: ReadonlySet<string> = new Set(
  '% x × s ms µs us ns sec secs min mins m h hr hrs d days b kb mb gb tb kib mib gib k w st nd rd th'.split(' '),
);

/**
 * Returns a number with its unit, which may be empty; null for other words. Commas count as separators of thousands.
 */
export const numberIn = (
  word: string,
): { readonly value: number; readonly decimals: number; readonly unit: string } | null => {
  if (!NUMBER.test(word)) return null;
  const unit = /(?:%|[a-zA-Zµ×]{1,5})$/.exec(word)?.[0] ?? '';
  if (unit !== '' && !UNITS.has(unit.toLowerCase())) return null;
  const digits = word.slice(0, word.length - unit.length).replace(/[+\-−±$€£,]/g, '');
  if ((digits.match(/\./g)?.length ?? 0) > 1) return null;
  return { value: Number(digits), decimals: digits.split('.')[1]?.length ?? 0, unit: unit.toLowerCase() };
};

const SPELLED = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
  'nineteen twenty'
).split(' ');
const SPELLED_MORE: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['hundred', 100],
  ['thousand', 1_000],
]);

/** The number that a word spells; null for other words, and for `one`, which is often none. */
export const spelledNumber = (word: string): number | null => {
  const lower = word.toLowerCase();
  const at = SPELLED.indexOf(lower);
  return at > 1 || at === 0 ? at : (SPELLED_MORE.get(lower) ?? null);
};

/** Looks like a name, id or address: digits and letters, marks inside, capitals inside or where no sentence begins. */
export const looksLikeName = ({ text, isFirst }: Word): boolean => {
  if (FRACTIONS.test(text) || isPlainCompound(text) || PLAIN_CAPITALS.has(text)) return false;
  if (/\d/.test(text) || /[-._/:@\\#&+=]/.test(text.slice(1))) return true;
  return /[A-Z]/.test(isFirst ? text.slice(1) : text);
};

/** Words behind a subject, as far as claims need them. */
const VERBS: ReadonlySet<string> = new Set(
  (
    'is was has had does did are were cannot can could will would may might lost failed caused causes shows showed reports reported ' +
    'runs ran went became depends affects affected led stopped started remains remained triggered serves hosts needs'
  ).split(' '),
);
/** Subjects that name nothing in particular. */
const PLAIN_SUBJECTS: ReadonlySet<string> = new Set(
  (
    'it this that these those there they which who what nothing everything something all both each neither none no one most many some ' +
    'several few others another latency traffic load memory disk disks cpu storage network service services server servers host hosts ' +
    'database databases application applications replication connection connections connectivity error errors event events incident ' +
    'incidents alert alerts problem problems failure failures outage impact cause causes root change changes deployment evidence ' +
    'confidence recovery capacity monitoring time downtime health severity dependency dependencies item items ci cis switch ' +
    'router cluster node nodes risk redundancy group groups'
  ).split(' '),
);

/** The first word of a sentence is its subject, and names something. */
export const isNamedSubject = ({ text, isFirst }: Word, next: Word | undefined): boolean =>
  isFirst &&
  /^[A-Z][a-z]+$/.test(text) &&
  next !== undefined &&
  VERBS.has(next.text.toLowerCase()) &&
  !PLAIN_SUBJECTS.has(text.toLowerCase());
