import type { UseCaseContext } from '#application/access/context.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import type { Degraded } from '#domain/ai/degraded.ts';
import { invalid } from '#domain/fault.ts';
import { isZone } from '#domain/texts/time-zone.ts';
import { Findings } from '#features/ai/rules/findings.ts';
import { readRange, type SaidRange } from '#features/ai/rules/time/range.ts';
import { type AiCaller, type AiMode, type AnswerEvidence, answer } from '#features/ai/use-cases/answer.ts';
import { modelFault } from '#features/ai/use-cases/ask.ts';
import { answerResult, isRate } from '#features/questions/rules/answers/insights.ts';
import { type Recommendation, recommend } from '#features/questions/rules/answers/recommendations.ts';
import type { Intent } from '#features/questions/rules/asking/intents.ts';
import type { Entity } from '#features/questions/rules/grammar/draft.ts';
import type { Understood } from '#features/questions/rules/grammar/question.ts';
import type { Query, QueryResult } from '#features/questions/rules/query.ts';
import {
  type MessageAnswer,
  prepared,
  tellIntent,
} from '#features/questions/use-cases/answering/answers/answer-message.ts';
import { askingOf } from '#features/questions/use-cases/chat.ts';
import type { QueryAsking } from '#features/questions/use-cases/queries/asking.ts';
import { runQuery } from '#features/questions/use-cases/queries/run-query.ts';
import type { Asking } from '#features/questions/use-cases/tools/tool.ts';
import { type Predictions, predict } from './predict.ts';
import { readByModel } from './read-by-model.ts';

const DAY_MS = 86_400_000;
/** Default range of recommendations, in days. */
const USUAL_DAYS = 7;
const MOST = 5;

/** Recommendations of other features, which ignore filters and so are omitted for filtered questions. */
async function advised(context: UseCaseContext, { query, range }: QueryResult): Promise<Recommendation[]> {
  if (Object.keys(query.filters).length > 0) return [];
  const { receivedAt, ports } = context;
  const of = range ?? { from: receivedAt - USUAL_DAYS * DAY_MS, to: receivedAt };
  const asked = { metric: query.metric, range: of };
  const all = await Promise.all(ports.reportParts.map(({ advice }) => advice?.(context, asked) ?? []));
  return all.flat();
}

/** Recommendations from the rows of the answer and from other features, highest confidence first. */
async function recommendAll(context: UseCaseContext, result: QueryResult): Promise<Recommendation[]> {
  const own = recommend(result);
  const others = (await advised(context, result)).slice(0, MOST);
  return [...own.slice(0, MOST - others.length), ...others].sort((a, b) => b.confidence - a.confidence);
}

export type ReportContext = UseCaseContext & AiCaller;

/** A query returned by an earlier response; its range may have any supported format. */
export type SentQuery = Omit<Query, 'range'> & { readonly range: string | SaidRange | null };

export interface AskedReport {
  readonly asked: { readonly question: string } | { readonly query: SentQuery };
  readonly zone: string | null;
  readonly predictions: boolean;
  readonly mode: AiMode;
}

export interface AnsweredReport {
  readonly query: Query | null;
  readonly entities: readonly Entity[];
  readonly notUnderstood: readonly string[];
  /** Null: no query was possible. */
  readonly result: QueryResult | null;
  readonly insights: readonly string[];
  readonly recommendations: readonly Recommendation[];
  /** Null: not requested. */
  readonly predictions: Predictions | null;
  /** Questions that can be answered, if this one cannot. */
  readonly examples: readonly string[];
  readonly grounds: AnswerEvidence;
}

const EXAMPLES = [
  'How many critical events were there last week, by service?',
  'Top 5 noisiest hosts in the last 24 hours',
  'Mean time to resolve by source this month, compared with the month before',
];

interface Reading {
  readonly query: Query | null;
  readonly entities: readonly Entity[];
  readonly notUnderstood: readonly string[];
  readonly model: string | null;
  readonly degraded: Degraded | null;
  /** Null: a query was sent in place of a question. */
  readonly message: MessageAnswer | null;
}

async function zoneOf({ tenant, ports }: ReportContext, said: string | null): Promise<string> {
  if (said !== null && !isZone(said))
    throw invalid('context.time_zone', 'expected an IANA time zone, for example Europe/Berlin');
  return said ?? (await aiSettings(ports.records, tenant)).zone;
}

function sent(query: SentQuery, { receivedAt: now, zone }: QueryAsking): Reading {
  const range = query.range === null ? null : readRange(query.range, now, zone);
  if (query.range !== null && range === null)
    throw invalid('query_json.range', 'expected a range such as 24h, last_30_days, yesterday, or { from, to }');
  return { query: { ...query, range }, entities: [], notUnderstood: [], model: null, degraded: null, message: null };
}

const isWhole = ({ query, notUnderstood }: Understood): boolean => query !== null && notUnderstood.length === 0;

/** Reads a question by rules, and by a model if they leave parts open or on request. */
async function read(context: ReportContext, asking: Asking, question: string, mode: AiMode): Promise<Reading> {
  const message = await prepared(asking, { text: question, memory: { current: null } });
  const understood = message.reading.asked;
  const byRules = (degraded: Degraded | null): Reading => ({ ...understood, model: null, degraded, message });
  // No filter can express an exclusion, so a model couldn't either.
  if (understood.isDenied) return byRules(null);
  if (mode === 'rules' || (mode === 'auto' && isWhole(understood))) return byRules(null);
  const when = { now: asking.receivedAt, zone: asking.zone };
  const said = await readByModel(context, question, understood, when);
  if (typeof said !== 'string') return { ...understood, ...said, degraded: null, message };
  if (mode === 'model') throw modelFault(said);
  return byRules(said);
}

/** Runs a query with the previous period of the same length, if rates can be compared. */
async function run(asking: QueryAsking, query: Query): Promise<QueryResult> {
  const result = await runQuery(asking, query);
  if (result.previous !== null || result.range === null || !isRate(result)) return result;
  const whole = {
    ...query,
    groupBy: null,
    sort: null,
    limit: null,
    range: result.range,
    compareTo: 'previous',
  } as const;
  return { ...result, previous: (await runQuery(asking, whole)).previous };
}

/** States that no query is possible, and which parts of the question are the reason. */
function nothing({ entities, notUnderstood }: Reading): Findings {
  const findings = new Findings();
  const ref = findings.add({ kind: 'query', id: 'question', label: 'question', facts: [] });
  const isMeasured = entities.some(({ kind }) => kind === 'metric');
  const what = isMeasured ? "The question can't be expressed as a query" : 'No metric recognized';
  const words = notUnderstood.length === 0 ? '' : `, and not understood: ${notUnderstood.join(', ')}`;
  findings.say(`${what}${words}.`, [ref]);
  return findings;
}

/** Intents about the assistant, not about data. */
const ABOUT_ITSELF: readonly (Intent | null)[] = [null, 'order', 'help', 'foreign', 'language', 'customers'];
/** Intents that a count alone does not answer. */
const ABOUT_INCIDENTS: readonly (Intent | null)[] = ['summary', 'why', 'past', 'fixed', 'impact', 'blame'];

/** Sentences on the result, and those of the assistant where a number is no answer. */
async function told(reading: Reading, result: QueryResult | null): Promise<Findings> {
  const { message } = reading;
  if (message === null) return result === null ? nothing(reading) : answerResult(result);
  const { desk, intent } = message;
  if (result === null) {
    if (ABOUT_ITSELF.includes(intent)) return nothing(reading);
    await tellIntent(desk, intent);
    return desk.isAbstained || desk.findings.claims.length === 0 ? nothing(reading) : desk.findings;
  }
  answerResult(result, desk.findings);
  const isOfIncidents = result.query.metric === 'incidents' && result.query.groupBy === null && result.count > 0;
  if (isOfIncidents && ABOUT_INCIDENTS.includes(intent)) await tellIntent(desk, intent);
  return desk.findings;
}

async function groundsOf(
  context: ReportContext,
  findings: Findings,
  { model, degraded }: Reading,
  abstained: boolean,
): Promise<AnswerEvidence> {
  const { pack, claims } = findings;
  const asked = { service: 'report-query', pack, claims, abstained, task: '', mode: 'rules' } as const;
  const { grounds } = await answer(context, asked);
  return { ...grounds, generatedBy: model === null ? 'rules' : 'model', model, degraded };
}

/**
 * Answers a question, or a query from an earlier response. Throws Fault `invalid` for an invalid query, time range or
 * time zone.
 */
export async function askReport(
  context: ReportContext,
  { asked, zone: said, predictions, mode }: AskedReport,
): Promise<AnsweredReport> {
  const asking: Asking = { ...(await askingOf(context, null, [])), zone: await zoneOf(context, said) };
  const reading = 'query' in asked ? sent(asked.query, asking) : await read(context, asking, asked.question, mode);
  const { query, entities, notUnderstood } = reading;
  const result = query && (await run(asking, query));
  const findings = await told(reading, result);
  const isAnswered = result !== null || findings === reading.message?.desk.findings;
  const grounds = await groundsOf(context, findings, reading, !isAnswered);
  const missing = result?.missing ?? [];
  return {
    query,
    entities,
    notUnderstood: [...notUnderstood, ...missing.map((name) => `no match for ${name}`)],
    result,
    insights: isAnswered ? grounds.claims.map(({ text }) => text) : [],
    recommendations: result === null ? [] : await recommendAll(context, result),
    predictions: predictions && result !== null ? await predict(asking, result) : null,
    examples: isAnswered ? [] : EXAMPLES,
    grounds,
  };
}
