import { isNearly } from '#domain/search/nearly.ts';
import { stemOf } from '#domain/search/stem.ts';
import { wordSet } from '#features/questions/rules/grammar/sentence.ts';

/** A text that a user, a monitor or a tool has written. */
export interface Written {
  readonly text: string;
  /** Names and titles of its subjects. */
  readonly about: string;
  /** Words that people use for its kind. */
  readonly hint: string;
}

/** Words without a meaning of their own in a question. */
const FUNCTION_WORDS = wordSet(
  `a an the this that these those it its he she they them his her their we us our i me my you your who whom whose what which
  when where why how is are was were be been being am do does did done has have had having will would can could should
  may might must shall to of in on at by for from with about into onto over under as if then than so or and but not no n
  yes ok okay please pls any anybody anyone anything some somebody someone something all every each other another there
  here now right just only really still already ever yet also too very more most much many tell show give know get got
  s t re ve ll d m correct say says said whats wasnt isnt doesnt didnt dont hasnt cant wont im lets let see look like want
  need think thing things stuff up out down off back again earlier later today tonight tonite yesterday tomorrow time
  while since until before after during once per via go goes going went come comes came make makes made take takes took
  because own one two both between through same ago last next first end find happen happend happened happens call called`,
);

/** Words of the field for the same, as stems. */
const SAME: readonly (readonly string[])[] = [
  'release deployment deploy rollout version upgrade ship',
  'battery ups mains power feed',
  'pager paged oncall duty',
  'host machine box server node',
  'vanish disappear suppress maintenance hide gone',
  'fail break broke broken crash die dead outage kill',
  'swap replace replacement fit change renew',
  'phone ring page alert notify silence mute',
  'fix mend repair solve clean cleaned heal resolve',
  'slow latency lag p99 crawl fast',
  'ignore normal usual harmless expected',
  'rollback revert rolled back',
  'split move take kick remove detach',
  'memory oom heap ram',
  'disk space volume full',
  'retire decommission remove delete',
  'certificate cert tls ssl expire',
  'temperature temp hot heat cool aircon',
  'prevent avoid raise',
  'ticket case rma jira',
].map((row) => row.split(' ').map(stemOf));
const SAME_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  SAME.flat().map((stem) => [stem, new Set(SAME.filter((row) => row.includes(stem)).flat())] as const),
);

const MAX_WORDS = 400;
/** Names with digits and versions stay whole: `db-01`, `4.17.0`. */
const tokensOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+(?:[._-][\p{L}\p{N}]+)*/gu) ?? [])
    .flatMap((word) => (/\d/.test(word) ? [word] : word.split(/[._-]/)))
    .slice(0, MAX_WORDS);
const stemmed = (word: string): string => (/^\p{L}+$/u.test(word) ? stemOf(word) : word);
const stemsIn = (text: string): ReadonlySet<string> =>
  new Set(
    tokensOf(text).flatMap((word) => [stemmed(word), ...(/\d/.test(word) ? word.split(/[_-]/).map(stemmed) : [])]),
  );

/** Stems of the words that carry the meaning of a question. */
export const meaningIn = (text: string): readonly string[] =>
  [...new Set(tokensOf(text).filter((word) => !FUNCTION_WORDS.has(word) && word.length > 1))].map(stemmed).slice(0, 30);

/** Certainty, 0 to 1, that a text has a word of a question. */
function likeness(word: string, stems: ReadonlySet<string>): number {
  if (stems.has(word)) return 1;
  if (word.includes('.') && [...stems].some((one) => one.startsWith(`${word}.`) || word.startsWith(`${one}.`)))
    return 1;
  const isLong = word.length >= 5 && /^\p{L}+$/u.test(word);
  if (isLong && [...stems].some((one) => one.length >= 5 && (one.startsWith(word) || word.startsWith(one)))) return 0.8;
  const same = SAME_OF.get(word);
  if (same !== undefined && [...stems].some((one) => same.has(one))) return 0.6;
  return 0;
}

export interface Ranked<R> {
  readonly record: R;
  readonly score: number;
  /** Share of the weight of the question's words that the record has, 0 to 1. */
  readonly covered: number;
  /** Stems of the question that the text itself has. */
  readonly shared: readonly string[];
}

const UNKNOWN = 1.5;
const ABOUT = 0.5;
const HINT = 0.5;

/** Ranks by the words of a question, each by how rare it is among the records; `bonus` adds to the score. Linear in the records. */
export function rankRecords<R extends Written>(
  words: readonly string[],
  records: readonly R[],
  bonus: (record: R) => number = () => 0,
): readonly Ranked<R>[] {
  const read = records.map((record) => ({
    record,
    text: stemsIn(record.text),
    about: stemsIn(record.about),
    hint: stemsIn(record.hint),
  }));
  const known = new Set(read.flatMap(({ text, about }) => [...text, ...about]));
  const meant = words.map((word) => spelled(word, known));
  const own = meant.map((word) => read.map(({ text }) => likeness(word, text)));
  const rare = meant.map((_, at) => {
    const many = own[at]?.filter((one) => one > 0).length ?? 0;
    return many === 0 ? UNKNOWN : Math.log(1 + records.length / many);
  });
  const whole = rare.reduce((sum, one) => sum + one, 0);
  return read
    .map(({ record, about, hint }, row) => {
      const found = meant.map((word, at) => {
        const inText = own[at]?.[row] ?? 0;
        return Math.max(inText, inText < 1 ? ABOUT * likeness(word, about) : 0, HINT * likeness(word, hint));
      });
      const sum = found.reduce((all, one, at) => all + one * (rare[at] ?? 0), 0);
      const shared = meant.filter((_, at) => (own[at]?.[row] ?? 0) > 0);
      return { record, score: sum + bonus(record), covered: whole === 0 ? 0 : sum / whole, shared };
    })
    .sort((a, b) => b.score - a.score);
}

const spelled = (word: string, known: ReadonlySet<string>): string =>
  word.length < 5 || known.has(word) || SAME_OF.has(word) || !/^\p{L}+$/u.test(word)
    ? word
    : ([...known].find((one) => one.length >= 5 && isNearly(word, one)) ?? word);
