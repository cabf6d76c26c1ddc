import { itemAt } from '#domain/assert.ts';
import { chanceOf } from '#domain/statistics/rate-test.ts';
import { capital } from '#domain/text.ts';
import { Findings } from '#features/ai/rules/findings.ts';
import { type Grouping, isTimed, NONE, type QueryResult, type QueryRow } from '../query.ts';
import { nothingFor, nounOf, rangeText, rowNoun, said, timeText } from './describe-value.ts';

/** Fewer values have no typical one. */
const MIN_VALUES = 6;
/** Multiple of the typical deviation; Iglewicz and Hoaglin. */
const FAR = 3.5;
/** Makes the median of deviations the standard deviation where values are normal. */
const NORMAL = 1.4826;
const MIN_DEVIATION = 0.5;

const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? itemAt(sorted, half) : (itemAt(sorted, half - 1) + itemAt(sorted, half)) / 2;
};

/** Places of values far above the others, the farthest first; on the scale of roots, on which counts vary alike. */
function outliersIn(values: readonly number[]): number[] {
  if (values.length < MIN_VALUES) return [];
  const scaled = values.map((value) => Math.sqrt(Math.max(0, value)));
  const middle = medianOf(scaled);
  const deviation = Math.max(MIN_DEVIATION, NORMAL * medianOf(scaled.map((value) => Math.abs(value - middle))));
  return scaled
    .map((value, place) => ({ place, far: (value - middle) / deviation }))
    .filter(({ far }) => far > FAR)
    .sort((a, b) => b.far - a.far)
    .map(({ place }) => place);
}

/** Probability by chance below which a difference is reported. */
export const SIGNIFICANT = 0.05;
const CITED_ROWS = 20;
const MAX_OUTLIERS = 2;
const MAX_CHANGED = 3;

/** Counts of independent occurrences, which vary by chance. */
export const isRate = ({ query }: QueryResult): boolean =>
  query.metric === 'events' || query.metric === 'incidents' || query.metric === 'changes';

/** Shares of a whole, where each row is a part of it. */
const hasParts = (result: QueryResult): boolean => result.unit === 'count' || result.unit === 'cost';

interface InsightDraft {
  readonly result: QueryResult;
  readonly findings: Findings;
  /** The whole answer, as it is cited. */
  readonly whole: string | null;
  readonly refOf: (row: QueryRow) => string | null;
}

const CITED: Readonly<Partial<Record<Grouping, 'ci' | 'service'>>> = { ci: 'ci', host: 'ci', service: 'service' };
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Evidence: the answer as a whole, and the rows that are CIs or services. */
function opened(result: QueryResult, findings: Findings): InsightDraft {
  const { query, total, unit, count, range } = result;
  const label = `${nounOf(query.metric)}${query.groupBy === null ? '' : ` by ${rowNoun(query.groupBy)}`}`;
  const whole = findings.add({
    kind: 'query',
    id: `${query.metric}${query.groupBy === null ? '' : `:${query.groupBy}`}`,
    label,
    facts: [
      { name: 'total', value: total === null ? 'none' : said(total, unit) },
      { name: 'count', value: count },
      ...(range === null ? [] : [{ name: 'range', value: rangeText(range) }]),
    ],
  });
  const kind = query.groupBy === null ? undefined : CITED[query.groupBy];
  const refs = new Map<string, string | null>();
  for (const { key, label: name, value } of result.rows.slice(0, CITED_ROWS))
    if (kind !== undefined && ULID.test(key)) {
      const facts = [{ name: nounOf(query.metric), value: value === null ? 'none' : said(value, unit) }];
      refs.set(key, findings.add({ kind, id: key, label: name, facts }));
    }
  return { result, findings, whole, refOf: ({ key }) => refs.get(key) ?? null };
}

const named = ({ key, label }: QueryRow, result: QueryResult): string => {
  const { groupBy } = result.query;
  if (groupBy === null) return label;
  if (isTimed(result.query.groupBy)) return `The ${rowNoun(groupBy)} from ${timeText(Date.parse(key))}`;
  return key === NONE ? `no ${rowNoun(groupBy)}` : label;
};
function describeTotal({ result, findings, whole }: InsightDraft): void {
  const { query, total, unit, count, range } = result;
  const when = range === null ? '' : ` (${rangeText(range)})`;
  if (total === null)
    findings.say(`${capital(nounOf(query.metric))} not available${when}: ${nothingFor(query.metric)}.`, [whole]);
  else if (unit === 'count') {
    const count = total === 0 ? 'No' : said(total, unit);
    const { severity, status } = query.filters;
    const standing =
      query.metric === 'open_events' ? status?.map((one) => one.replace('open', 'unacknowledged')) : status;
    const kinds = [severity, standing].flatMap((one) => one?.join(' or ') ?? []);
    findings.say(`${[count, ...kinds, nounOf(query.metric, total)].join(' ')}${when}.`, [whole]);
  } else findings.say(`${capital(nounOf(query.metric))}: ${said(total, unit)} (n = ${count})${when}.`, [whole]);
}

/** The largest share, or the largest value where rows are no parts. */
function describeLargest({ result, findings, whole, refOf }: InsightDraft): void {
  const { query, rows, total, unit } = result;
  const told = rows.filter((row): row is QueryRow & { value: number } => row.value !== null && row.key !== NONE);
  if (query.groupBy === null || told.length < 2) return;
  const first = told.reduce((most, row) => (row.value > most.value ? row : most));
  if (first.value === 0) return;
  const refs = [whole, refOf(first)];
  if (hasParts(result) && total !== null && total > 0) {
    const share = said(first.value / total, 'share');
    findings.say(`Largest: ${named(first, result)}, ${said(first.value, unit)} (${share}).`, refs);
  } else findings.say(`${named(first, result)} has the highest value: ${said(first.value, unit)}.`, refs);
}

const differenceIn = (before: number, now: number): string =>
  before === 0 ? '' : ` (${now >= before ? '+' : '−'}${Math.round((100 * Math.abs(now - before)) / before)}%)`;

/** Against the equal range before, with the chance that the same rate brings such a difference. */
function describeChange({ result, findings, whole }: InsightDraft): void {
  const { previous, count, query, unit, total } = result;
  if (previous === null) return;
  if (!isRate(result)) {
    if (query.compareTo === null || total === null || previous.total === null) return;
    findings.say(`Previous period: ${said(previous.total, unit)}.`, [whole]);
    return;
  }
  const chance = chanceOf(previous.count, count);
  const noun = nounOf(query.metric);
  const numbers = `${previous.count} before, ${count} now${differenceIn(previous.count, count)}`;
  const more = `${count > previous.count ? 'More' : 'Fewer'} ${noun} than before`;
  if (chance >= SIGNIFICANT) findings.say(`No significant change: ${numbers}.`, [whole]);
  else findings.say(`${more}: ${numbers}, p = ${said(Math.max(chance, 0.0001), 'count')}.`, [whole]);
}

/** Rows that changed by more than chance, each judged as one of all. */
function describeChangedRows({ result, findings, whole, refOf }: InsightDraft): void {
  if (!isRate(result) || isTimed(result.query.groupBy) || result.query.groupBy === null) return;
  const compared = result.rows.flatMap((row) =>
    typeof row.previous === 'number' ? [{ row, before: row.previous }] : [],
  );
  const changed = compared
    .map(({ row, before }) => ({ row, before, chance: chanceOf(before, row.count) }))
    .filter(({ chance }) => chance < SIGNIFICANT / compared.length)
    .sort((a, b) => a.chance - b.chance);
  for (const { row, before } of changed.slice(0, MAX_CHANGED)) {
    const verb = row.count > before ? 'rose' : 'fell';
    const text = `${named(row, result)} ${verb} from ${before} to ${row.count}${differenceIn(before, row.count)}.`;
    findings.say(text, [whole, refOf(row)]);
  }
}

function describeOutliers({ result, findings, whole, refOf }: InsightDraft): void {
  const { query, unit } = result;
  if (query.groupBy === null || query.limit !== null) return;
  const rows = result.rows.flatMap((row) =>
    row.value !== null && row.key !== NONE ? [{ row, value: row.value }] : [],
  );
  for (const place of outliersIn(rows.map(({ value }) => value)).slice(0, MAX_OUTLIERS)) {
    const { row, value } = itemAt(rows, place);
    const text = `${named(row, result)} is an outlier among ${rows.length}: ${said(value, unit)}.`;
    findings.say(text, [whole, refOf(row)]);
  }
}

/** Adds sentences about the rows of a result, which they cite. */
export function answerResult(result: QueryResult, findings = new Findings()): Findings {
  const telling = opened(result, findings);
  if (result.missing.length > 0) {
    for (const name of result.missing) telling.findings.say(`No match for "${name}".`, [telling.whole]);
    return telling.findings;
  }
  for (const say of [describeTotal, describeLargest, describeChange, describeChangedRows, describeOutliers])
    say(telling);
  return telling.findings;
}
