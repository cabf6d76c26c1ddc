import { chanceOf } from '#domain/statistics/rate-test.ts';
import { isTimed, NONE, type QueryResult, type QueryRow } from '../query.ts';
import { nounOf, rowNoun, said } from './describe-value.ts';
import { isRate, SIGNIFICANT } from './insights.ts';

export interface Recommendation {
  readonly action: string;
  readonly impact: string;
  /** 0 to 1. */
  readonly confidence: number;
}

const MOST = 5;
/** Fewer give no reliable shares. */
const MIN_COUNT = 20;
const LARGE_SHARE = 0.3;
const UNBOUND_SHARE = 0.2;
const FEW_CORRELATED = 0.2;
const SLOW_TIMES = 2;
const belowCertain = (value: number): number => Math.round(100 * Math.min(0.99, Math.max(0, value))) / 100;

type Rule = (result: QueryResult) => readonly Recommendation[];

const ofRows = ({ rows }: QueryResult): QueryRow[] => rows.filter(({ key }) => key !== NONE);

/** One row that has much of all: confidence is the chance that it truly has more than the second. */
const largest: Rule = (result) => {
  const { query, total, unit } = result;
  const { groupBy, metric, sort } = query;
  const isCount = ['events', 'occurrences', 'incidents', 'open_events'].includes(metric);
  const rows = ofRows(result);
  const [first, second] = [...rows].sort((a, b) => b.count - a.count);
  if (!isCount || groupBy === null || isTimed(result.query.groupBy) || sort === 'asc' || !first || !second || !total)
    return [];
  if (!['ci', 'host', 'source', 'signature', 'service', 'environment'].includes(groupBy)) return [];
  const share = (first.value ?? 0) / total;
  if (total < MIN_COUNT || share < LARGE_SHARE) return [];
  const action =
    groupBy === 'signature' || groupBy === 'source'
      ? `Review ${first.label}: fix the problem or adjust its threshold`
      : `Investigate ${first.label} first`;
  const impact = `${said(first.value ?? 0, unit)} of ${said(total, unit)} ${nounOf(metric)} (${said(share, 'share')})`;
  return [{ action, impact, confidence: belowCertain(1 - chanceOf(second.count, first.count) / 2) }];
};

const rising: Rule = (result) => {
  const { previous, count, query } = result;
  if (previous === null || !isRate(result) || count <= previous.count) return [];
  const chance = chanceOf(previous.count, count);
  if (chance >= SIGNIFICANT) return [];
  const impact = `${count - previous.count} more ${nounOf(query.metric)} than in the previous period`;
  return [{ action: 'Check what changed since the previous period', impact, confidence: belowCertain(1 - chance) }];
};

const unbound: Rule = ({ query, rows, total }) => {
  const none = rows.find(({ key }) => key === NONE);
  const isByCi = query.groupBy === 'ci' || query.groupBy === 'ci_type';
  if (!isByCi || query.metric === 'cis' || !none || !total || total < MIN_COUNT) return [];
  const share = none.count / total;
  if (share < UNBOUND_SHARE) return [];
  const impact = `${said(share, 'share')} of ${nounOf(query.metric)} are unbound, so dependencies can't explain them`;
  return [{ action: 'Add the missing CIs, or correct the hostnames that sources send', impact, confidence: 0.8 }];
};

const uncorrelated: Rule = ({ query, total, count }) => {
  if (query.metric !== 'correlated_share' || total === null || count < MIN_COUNT || total >= FEW_CORRELATED) return [];
  const impact = `only ${said(total, 'share')} of ${count} events are in a group`;
  return [{ action: 'Add relationships between the CIs that have events', impact, confidence: 0.5 }];
};

const slow: Rule = (result) => {
  const { query, total, unit } = result;
  if ((query.metric !== 'mttr' && query.metric !== 'mtta') || query.groupBy === null || total === null) return [];
  const rows = ofRows(result).flatMap(({ value, count, label }) =>
    value !== null && count >= 5 ? [{ value, count, label }] : [],
  );
  const slowest = rows.reduce<(typeof rows)[number] | null>(
    (most, row) => (most === null || row.value > most.value ? row : most),
    null,
  );
  if (slowest === null || rows.length < 2 || slowest.value < SLOW_TIMES * total || isTimed(result.query.groupBy))
    return [];
  const impact = `${said(slowest.value, unit)} vs. ${said(total, unit)} overall`;
  const action = `Review how events of ${rowNoun(query.groupBy)} ${slowest.label} are handled`;
  return [{ action, impact, confidence: belowCertain(1 - 1 / Math.sqrt(slowest.count)) }];
};

const unhealthy: Rule = (result) => {
  const { query, unit } = result;
  if (query.metric !== 'service_health' || query.groupBy !== 'service') return [];
  const worst = [...ofRows(result)].sort((a, b) => (a.value ?? 0) - (b.value ?? 0))[0];
  if (!worst || worst.value === null || worst.value >= 50) return [];
  const action = `Resolve the open events on components of ${worst.label}`;
  return [{ action, impact: `health ${said(worst.value, unit)}`, confidence: 0.9 }];
};

const RULES: readonly Rule[] = [rising, largest, slow, unhealthy, unbound, uncorrelated];

/** Advice about an answer, the surest first. */
export const recommend = (result: QueryResult): Recommendation[] =>
  RULES.flatMap((rule) => rule(result))
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MOST);
