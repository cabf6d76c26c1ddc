import type { UseCaseContext } from '#application/access/context.ts';
import type { Finding, InsightKind } from '#features/detectors/rules/finding.ts';
import { ranked } from '#features/detectors/rules/rank.ts';
import { MOST_DAYS, runDetectors } from '#features/detectors/use-cases/run-detectors.ts';
import type { Metric } from '#features/questions/rules/query.ts';
import type { QueryResult } from '#features/questions/rules/result.ts';
import { type Recommendation, recommend } from '#features/questions/rules/telling/recommendations.ts';

const DAY_MS = 86_400_000;
/** Without a range detectors look at the last days. */

const USUAL_DAYS = 7;
/** Recommendations, and of these from detectors while the answer has its own. */
const MOST = 5;
const MOST_DETECTED = 3;

/** Detectors that have to do with what is counted. */
const KINDS: Readonly<Partial<Record<Metric, readonly InsightKind[]>>> = {
  events: ['noisy-monitor', 'never-acknowledged', 'unbound-share'],
  occurrences: ['noisy-monitor', 'flapping'],
  open_events: ['never-acknowledged', 'noisy-monitor'],
  mtta: ['never-acknowledged'],
  incidents: ['repeated-incident'],
  mttr: ['repeated-incident'],
  correlated_share: ['unbound-share', 'missing-relationship'],
  changes: ['failed-change'],
  cis: ['stale-ci', 'single-point-of-failure'],
  relationships: ['missing-relationship', 'doubtful-relationship'],
};

const asRecommendation = ({ recommendation, detail, confidence }: Finding): Recommendation => ({
  action: recommendation,
  impact: detail,
  confidence,
});

/** Findings of detectors in the range; none for a question about a part, nor for a caller who may not see their sources. */
async function detected(
  { tenant, ports, receivedAt, caller }: UseCaseContext,
  { query, range }: QueryResult,
): Promise<Recommendation[]> {
  const kinds = KINDS[query.metric];
  const mayRead = caller.permissions.has('events.read') && caller.permissions.has('cmdb.read');
  const of = range ?? { from: receivedAt - USUAL_DAYS * DAY_MS, to: receivedAt };
  const isPart = Object.keys(query.filters).length > 0 || of.to - of.from > MOST_DAYS * DAY_MS;
  if (kinds === undefined || !mayRead || isPart) return [];
  const asking = { tenant, ports, receivedAt, range: of, scope: {}, ciIds: null };
  const { found } = await runDetectors(asking, new Set(kinds));
  return ranked(found).slice(0, MOST_DETECTED).map(asRecommendation);
}

/** Advice about an answer: by its own rows, and by detectors on its sources, the surest first. */
export async function recommendAll(context: UseCaseContext, result: QueryResult): Promise<Recommendation[]> {
  const own = recommend(result);
  const others = await detected(context, result);
  return [...own.slice(0, MOST - others.length), ...others].sort((a, b) => b.confidence - a.confidence);
}
