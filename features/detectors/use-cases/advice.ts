import type { Finding, InsightKind } from '#features/detectors/rules/finding.ts';
import { ranked } from '#features/detectors/rules/rank.ts';
import type { AdviceAsked, ReportParts } from '#features/reports/use-cases/report-parts.ts';
import { MAX_DAYS, runDetectors } from './run-detectors.ts';

const DAY_MS = 86_400_000;
const MOST = 3;

/** Detectors relevant to a metric. */
const KINDS: Readonly<Partial<Record<AdviceAsked['metric'], readonly InsightKind[]>>> = {
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

const asAdvice = ({ recommendation, detail, confidence }: Finding) => ({
  action: recommendation,
  impact: detail,
  confidence,
});

/** None for a caller who may not see the evidence of the findings. */
const advice: ReportParts['advice'] = async ({ tenant, ports, receivedAt, caller }, { metric, range }) => {
  const kinds = KINDS[metric];
  const mayRead = caller.permissions.has('events.read') && caller.permissions.has('cmdb.read');
  if (kinds === undefined || !mayRead || range.to - range.from > MAX_DAYS * DAY_MS) return [];
  const { found } = await runDetectors({ tenant, ports, receivedAt, range, scope: {}, ciIds: null }, new Set(kinds));
  return ranked(found).slice(0, MOST).map(asAdvice);
};

/** Contribution to reports: findings. */
export const reported: ReportParts = { advice };
