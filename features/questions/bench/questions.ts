import { readFileSync } from 'node:fs';
import type { KnownNames, NameFilter } from '#features/questions/rules/grammar/names.ts';
import { readQuestion, type Understood } from '#features/questions/rules/grammar/question.ts';
import type { Filters, Query } from '#features/questions/rules/query.ts';
import type { Row } from '../../../bench/report.ts';

/** When all questions are asked; a Wednesday. */
const NOW = Date.UTC(2026, 10, 18, 10, 30);

/** A question and the query that its author means; null: no query can say it. */
interface Asked {
  readonly id: string;
  readonly text: string;
  readonly query:
    | (Omit<Query, 'range'> & { readonly range: { readonly from: string; readonly to: string } | null })
    | null;
}

const NAMED: readonly NameFilter[] = ['service', 'source', 'environment', 'ci', 'ci_type'];

/** Written before there was a grammar, and by somebody who had not seen it, after it. */
const SETS = ['questions', 'questions-later'] as const;
type QuestionSet = (typeof SETS)[number];

const questionsOf = (set: QuestionSet): Asked[] =>
  JSON.parse(readFileSync(new URL(`./${set}.json`, import.meta.url), 'utf8'));

/** A tenant knows its own names: those that the queries have. */
const namesIn = (asked: readonly Asked[]): KnownNames =>
  new Map(
    asked.flatMap(({ query }) =>
      NAMED.flatMap((kind) => (query?.filters[kind] ?? []).map((name) => [name.toLowerCase(), kind] as const)),
    ),
  );

const sorted = (filters: Filters): string =>
  JSON.stringify(
    Object.entries(filters)
      .map(([name, value]) => [
        name,
        [value]
          .flat()
          .map((one) => String(one).toLowerCase())
          .sort(),
      ])
      .sort(),
  );

const told = ({ metric, groupBy, range, compareTo, sort, limit, filters }: Query): string =>
  JSON.stringify([metric, groupBy, range && [range.from, range.to], compareTo, sort, limit, sorted(filters)]);

const meant = ({ query }: Asked): string | null =>
  query &&
  told({ ...query, range: query.range && { from: Date.parse(query.range.from), to: Date.parse(query.range.to) } });

interface Scored {
  readonly asked: Asked;
  readonly read: Understood;
  readonly isExact: boolean;
  /** Another query than the one meant, and no word of it. */
  readonly isSilentlyWrong: boolean;
}

function scoreQuestions(set: QuestionSet, withNames: boolean): Scored[] {
  const asked = questionsOf(set);
  const names: KnownNames = withNames ? namesIn(asked) : new Map();
  return asked.map((one) => {
    const read = readQuestion(one.text, { now: NOW, zone: 'UTC', names });
    const isExact = (read.query && told(read.query)) === meant(one);
    return {
      asked: one,
      read,
      isExact,
      isSilentlyWrong: !isExact && read.query !== null && read.notUnderstood.length === 0,
    };
  });
}

const share = (scored: readonly Scored[], is: (one: Scored) => boolean): number =>
  scored.filter(is).length / scored.length;

/** How many of the questions that others have written become the query that they mean. */
export function aboutQuestions(): Row[] {
  return SETS.flatMap((set) =>
    [true, false].flatMap((withNames): Row[] => {
      const scored = scoreQuestions(set, withNames);
      const exact = share(scored, ({ isExact }) => isExact);
      const silent = share(scored, ({ isSilentlyWrong }) => isSilentlyWrong);
      const what = `${scored.length} ${set === 'questions' ? '' : 'later '}questions, ${withNames ? 'names known' : 'no name known'}`;
      const least = set === 'questions' ? 0.85 : 0.8;
      return [
        {
          what: `${what}: exact query`,
          value: exact * 100,
          unit: '%',
          target: `≥ ${least * 100}`,
          met: exact >= least,
        },
        { what: `${what}: wrong and not flagged`, value: silent * 100, unit: '%', target: '≤ 3', met: silent <= 0.03 },
      ];
    }),
  );
}
