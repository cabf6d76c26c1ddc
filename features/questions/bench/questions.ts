import { readFileSync } from 'node:fs';
import type { KnownNames, NameFilter } from '#features/questions/rules/grammar/names.ts';
import { readQuestion } from '#features/questions/rules/grammar/question.ts';
import { queryWords } from '#features/questions/rules/grammar/told-for-tests.ts';
import type { Filters, Query } from '#features/questions/rules/query.ts';
import type { Row } from '../../../bench/report.ts';

/** When all questions are asked; a Wednesday. */
const NOW = Date.UTC(2026, 10, 18, 10, 30);

/** Written before there was a grammar, and by somebody who had not seen it, after it; with the least share in percent. */
const SETS = [
  { file: 'questions', name: '', least: 85 },
  { file: 'questions-later', name: 'later ', least: 80 },
] as const;

/** A question, and the query that its author means in words; `nothing`: no query can say it. */
interface AskedQuery {
  readonly text: string;
  readonly meant: string;
}

/** Behind a # the author explains the query. */
const questionsOf = (file: string): AskedQuery[] =>
  Object.entries<string>(JSON.parse(readFileSync(new URL(`./${file}.json`, import.meta.url), 'utf8'))).map(
    ([text, meant]) => ({ text, meant: meant.replace(/ # .*/, '') }),
  );

/** A tenant knows its own names: those that the queries have. */
const namesIn = (asked: readonly AskedQuery[]): KnownNames =>
  new Map(
    asked.flatMap(({ meant }) =>
      [...meant.matchAll(/(service|source|environment|ci|ci_type)=(\S+)/g)].flatMap(([, kind, names = '']) =>
        names.split('+').map((name) => [name, kind as NameFilter] as const),
      ),
    ),
  );

/** The order of filters and the case of names mean nothing. */
const plain = (query: Query): Query => {
  const filters = Object.entries(query.filters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toLowerCase() : value.map((one: string) => one.toLowerCase()).sort(),
  ]);
  return { ...query, filters: Object.fromEntries(filters.sort()) as Filters };
};

function sharesOf(asked: readonly AskedQuery[], names: KnownNames) {
  const read = asked.map(({ text, meant }) => {
    const { query, notUnderstood } = readQuestion(text, { now: NOW, zone: 'UTC', names });
    const isExact = queryWords(query && plain(query), NOW) === meant;
    // Another query than the one meant, and no word of it.
    return { isExact, isSilent: !isExact && query !== null && notUnderstood.length === 0 };
  });
  const share = (some: readonly unknown[]): number => (100 * some.length) / asked.length;
  return { exact: share(read.filter((one) => one.isExact)), silent: share(read.filter((one) => one.isSilent)) };
}

/** Share of questions by others that become the query that they mean. */
export function aboutQuestions(): Row[] {
  return SETS.flatMap(({ file, name, least }) => {
    const asked = questionsOf(file);
    return [true, false].flatMap((withNames): Row[] => {
      const { exact, silent } = sharesOf(asked, withNames ? namesIn(asked) : new Map());
      const what = `${asked.length} ${name}questions, ${withNames ? 'names known' : 'no name known'}`;
      return [
        { what: `${what}: exact query`, value: exact, unit: '%', target: `≥ ${least}`, met: exact >= least },
        { what: `${what}: wrong and not flagged`, value: silent, unit: '%', target: '≤ 3', met: silent <= 3 },
      ];
    });
  });
}
