import type { TimedContext } from '#application/access/context.ts';
import { refusedProposals } from '#application/cmdb/refusals.ts';
import { everyRecord, pagesOf } from '#application/records/list-records.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { PartRequest } from '#domain/page.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type Bin, calibrationError } from '#domain/statistics/calibration.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import { AGENT_IDS, AGENTS, type AgentId, type Label, standingLabels } from '#features/agents/rules/agents.ts';
import { calibrationBins, type Performance, performanceOf, thresholdFor } from '#features/agents/rules/performance.ts';
import { latestAssessments } from '#features/change-risk/use-cases/assessment-records.ts';
import type { Scan } from '#features/discovery/rules/scan.ts';
import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import type { Review } from '#features/discovery/use-cases/review-records.ts';
import { labelsOf, storedForecasts } from './records.ts';

const PAGE = 100;
/** Maximum number of groups, relationships and so on to read, newest first. */
const MOST = 1_000;

/** Decisions of an agent since a time, with the judgments that need no feedback. */
interface Decided {
  readonly made: number;
  readonly abstained: number;
  /** Judgments that follow from user actions, such as accepting a proposal. */
  readonly labels: readonly Label[];
}
interface Span {
  readonly tenant: string;
  readonly from: number;
  readonly to: number;
  readonly abstainBelow: number;
}
type Count = (ports: Ports, span: Span) => Promise<Decided>;

async function newestGroups({ correlation }: Ports, { tenant, from, to }: Span): Promise<readonly Group[]> {
  const groups: Group[] = [];
  const read = (page: PartRequest) =>
    correlation.groups(tenant, { from, to }, { sort: 'last', order: 'desc', ...page });
  for await (const page of pagesOf(PAGE, read)) if (groups.push(...page) >= MOST) break;
  return groups;
}

const correlation: Count = async ({ eventAggregates }, { tenant, from, to }) => {
  const request = { measure: 'correlated', by: [], limit: 1 } as const;
  const { buckets } = await eventAggregates.aggregate(tenant, { from, to }, request);
  return { made: buckets[0]?.sum ?? 0, abstained: 0, labels: [] };
};

/** Counts only the newest groups if there are too many to read. */
const rootCause: Count = async (ports, span) => {
  const groups = await newestGroups(ports, span);
  const named = groups.filter(({ candidate }) => (candidate?.confidence ?? 0) >= span.abstainBelow);
  return { made: named.length, abstained: groups.length - named.length, labels: [] };
};

const labelled = (
  subject: Label['subject'],
  verdict: Label['verdict'],
  more: Pick<Label, 'agent' | 'confidence' | 'user' | 'at'>,
): Label => ({ subject, verdict, note: null, ...more });

const relationships: Count = async (ports, { tenant, from }) => {
  const accepted: Relationship[] = [];
  const filter = { includeAi: true, fromAi: 'both' } as const;
  const read = (page: PartRequest) =>
    ports.topology.findRelationships(tenant, filter, { sort: 'created_at', order: 'desc', ...page });
  let [open, seen] = [0, 0];
  for await (const found of pagesOf(PAGE, read)) {
    const own = found.filter(({ createdAt }) => createdAt >= from);
    accepted.push(...own.filter(({ discoveredBy }) => discoveredBy === 'ai-accepted'));
    open += own.filter(({ discoveredBy }) => discoveredBy === 'ai').length;
    seen += found.length;
    if (own.length < found.length || seen >= MOST) break;
  }
  const refused = (await refusedProposals(ports, tenant)).filter(({ at }) => at >= from);
  const labels = [
    ...accepted.map(({ id, confidence, updatedAt: at }) =>
      labelled({ kind: 'relationship', id }, 'right', { agent: 'relationships', confidence, user: 'accepted', at }),
    ),
    ...refused.map(({ source, target, type, id = `${source}/${target}/${type}`, confidence = null, by, at }) =>
      labelled({ kind: 'relationship', id }, 'wrong', { agent: 'relationships', confidence, user: by, at }),
    ),
  ];
  return { made: open + labels.length, abstained: 0, labels };
};

/** A review counts as an abstention; its resolution judges the first candidate. */
const reconciliation: Count = async ({ records }, { tenant, from }) => {
  const [scans, reviews] = await Promise.all([
    everyRecord<Scan>(records, tenant, DISCOVERY_KINDS.scan),
    everyRecord<Review>(records, tenant, DISCOVERY_KINDS.review),
  ]);
  const made = scans
    .filter(({ submittedAt }) => submittedAt >= from)
    .reduce((sum, { counts }) => sum + counts.created + counts.updated + counts.unchanged, 0);
  const recent = reviews.filter(({ createdAt }) => createdAt >= from);
  const labels = recent.flatMap(({ id, status, resolution, candidates }) => {
    if (status !== 'resolved' || resolution === null) return [];
    const verdict = resolution.ci === candidates[0] ? 'right' : 'wrong';
    const { by, at } = resolution;
    return [labelled({ kind: 'review', id }, verdict, { agent: 'reconciliation', confidence: null, user: by.id, at })];
  });
  return { made, abstained: recent.length, labels };
};

const madeSince = (times: readonly number[], from: number): Decided => {
  return { made: times.filter((at) => at >= from).length, abstained: 0, labels: [] };
};
const changeRisk: Count = async ({ records }, { tenant, from }) =>
  madeSince(
    (await latestAssessments(records, tenant)).map(({ at }) => at),
    from,
  );
const capacity: Count = async ({ records }, { tenant, from }) =>
  madeSince(
    (await storedForecasts(records, tenant)).map((one) => one.from),
    from,
  );

const DECIDED: Readonly<Record<AgentId, Count>> = {
  correlation,
  'root-cause': rootCause,
  relationships,
  reconciliation,
  'change-risk': changeRisk,
  capacity,
};

const SPAN_MS = 90 * 86_400_000;

interface AgentMeasures extends Decided {
  /** Labels in force, from feedback and from user actions. */
  readonly labels: readonly Label[];
}

async function measure({ tenant, ports, receivedAt: to }: TimedContext, agent: AgentId): Promise<AgentMeasures> {
  const from = to - SPAN_MS;
  const { abstainBelow } = await aiSettings(ports.records, tenant);
  const [decided, kept] = await Promise.all([
    DECIDED[agent](ports, { tenant, from, to, abstainBelow }),
    labelsOf(ports.records, tenant, agent, from),
  ]);
  return { ...decided, labels: standingLabels([...decided.labels, ...kept]) };
}

export interface ListedAgent {
  readonly id: AgentId;
  readonly performance: Performance;
}

export const listAgents = (asking: TimedContext): Promise<ListedAgent[]> =>
  Promise.all(
    AGENT_IDS.map(async (id) => {
      const { labels, ...decided } = await measure(asking, id);
      return { id, performance: performanceOf(labels, decided) };
    }),
  );

export interface Calibration {
  readonly agent: AgentId;
  readonly bins: readonly Bin[];
  readonly judged: number;
  readonly error: number | null;
  /** Maximum error rate set by the tenant; null: not set. */
  readonly maxError: number | null;
  /** Null: no threshold meets `maxError`, or it is not set. */
  readonly threshold: number | null;
  /** Threshold in use. */
  readonly abstainBelow: number;
}

export async function calibrationOf(asking: TimedContext, agent: AgentId): Promise<Calibration> {
  const [{ labels }, { maxError, abstainBelow }] = await Promise.all([
    measure(asking, agent),
    aiSettings(asking.ports.records, asking.tenant),
  ]);
  const bins = calibrationBins(labels);
  const threshold = maxError === null ? null : thresholdFor(labels, maxError);
  return { agent, bins, judged: labels.length, error: calibrationError(bins), maxError, threshold, abstainBelow };
}

const judged = async ({ asking }: { readonly asking: TimedContext }) => {
  const agents = (await listAgents(asking)).filter(({ id }) => id === 'correlation' || id === 'root-cause');
  return agents.map(({ id, performance: { decisionsMade, judged: known, successRate, interval } }) => ({
    name: AGENTS[id].name,
    decisions: decisionsMade,
    judged: known,
    successRate,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  }));
};

export const reported = { judged };
