import type { Degraded } from '#domain/ai/degraded.ts';
import { Findings, freeText } from '#features/ai/rules/findings.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import { readRange } from '#features/ai/rules/time/range.ts';
import type { AiCaller } from '#features/ai/use-cases/answer.ts';
import { askModel } from '#features/ai/use-cases/ask.ts';
import type { Understood } from '#features/questions/rules/grammar/question.ts';
import { type Filters, isOfNow, METRICS, type Query, unfitFor } from '#features/questions/rules/query.ts';
import { type ModelQuery, queryOutput } from '#features/questions/schemas/model/query.ts';

const SERVICE = 'report-query';
const DEFAULT_DAYS = 7;
const TASK = `TASK Write the query that the question Q1 asks for. metric is one of ${METRICS.join(', ')}, or null when none fits. Names and text only as they stand in the question, empty lists where it says nothing. range in words such as "yesterday", "last 30 days", "2026-11-01..2026-11-05", null when none is said. compare: with the range before. not_understood: words of the question that the query does not say. Answer with the object alone.`;

const LISTS = ['severity', 'status', 'source', 'ci', 'ci_type', 'service', 'environment'] as const;

interface QueryReading {
  readonly query: Query | null;
  readonly notUnderstood: readonly string[];
}

/** True if the question contains the words. */
const stands = (question: string, words: string): boolean => question.toLowerCase().includes(words.toLowerCase());

function filtersOf({ filters }: ModelQuery, question: string): Filters | null {
  const said = LISTS.filter((name) => filters[name].length > 0);
  const named = said.filter(
    (name) => name !== 'severity' && name !== 'status' && name !== 'ci_type' && name !== 'environment',
  );
  if (named.some((name) => filters[name].some((value) => !stands(question, value)))) return null;
  if (filters.text && !filters.text.split(/\s+/).every((word) => stands(question, word))) return null;
  return {
    ...Object.fromEntries(said.map((name) => [name, filters[name]])),
    ...(filters.text && { text: filters.text }),
  };
}

/** Returns a valid query whose names all occur in the question, or null. */
function checked(
  value: ModelQuery,
  { question, now, zone }: { readonly question: string; readonly now: number; readonly zone: string },
): QueryReading | null {
  const notUnderstood = value.not_understood.filter((words) => stands(question, words));
  if (value.metric === null) return { query: null, notUnderstood };
  const filters = filtersOf(value, question);
  const range = value.range === null ? null : readRange(value.range, now, zone);
  if (filters === null || (value.range !== null && range === null)) return null;
  const usual = isOfNow(value.metric) ? null : { from: calendarOf(zone).add(now, -DEFAULT_DAYS, 'day'), to: now };
  const query: Query = {
    metric: value.metric,
    filters,
    groupBy: value.group_by,
    range: range ?? usual,
    compareTo: value.compare ? 'previous' : null,
    sort: value.sort,
    limit: value.limit,
  };
  return unfitFor(query) === null ? { query, notUnderstood } : null;
}

/** The model sees only the question and the result of the rules. */
function shown(question: string, { query, notUnderstood }: Understood): Findings {
  const findings = new Findings();
  const ref = findings.add({ kind: 'query', id: 'question', label: 'question', facts: [freeText('asked', question)] });
  if (query === null) findings.say('Rules have found no metric.', [ref], 'likely');
  else
    findings.say(
      `Rules have read: ${query.metric}${query.groupBy === null ? '' : ` by ${query.groupBy}`}.`,
      [ref],
      'likely',
    );
  if (notUnderstood.length > 0)
    findings.say(`Rules have not understood: ${notUnderstood.join(', ')}.`, [ref], 'likely');
  return findings;
}

export interface ModelRead extends QueryReading {
  readonly model: string;
}

/** Lets a model translate the question into a query; it sees no results. */
export async function readByModel(
  asking: AiCaller,
  question: string,
  understood: Understood,
  when: { readonly now: number; readonly zone: string },
): Promise<ModelRead | Degraded> {
  const { pack, claims } = shown(question, understood);
  const said = await askModel(asking, {
    service: SERVICE,
    pack,
    claims,
    task: TASK,
    output: queryOutput,
    isAutomatic: false,
  });
  if (typeof said === 'string') return said;
  const { filters, ...rest } = said.value;
  const revealed = (values: string[]): string[] => values.map((value) => said.reveal(value));
  const value: ModelQuery = {
    ...rest,
    filters: {
      ...filters,
      ci: revealed(filters.ci),
      service: revealed(filters.service),
      source: revealed(filters.source),
    },
  };
  const read = checked(value, { question, ...when });
  return read === null ? 'invalid_output' : { ...read, model: said.model };
}
