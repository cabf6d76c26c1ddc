import { refusedProposals } from '#application/cmdb/refusals.ts';
import { everyRecord } from '#application/records/list-records.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import type { AgentId } from '#features/agents/rules/agents.ts';
import type { Label } from '#features/agents/rules/label.ts';
import { latestAssessments } from '#features/change-risk/use-cases/assessment-records.ts';
import type { Scan } from '#features/discovery/rules/scan.ts';
import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import type { Review } from '#features/discovery/use-cases/review-records.ts';
import { storedForecasts } from './answers/forecast-records.ts';

const PAGE = 100;
/** Groups, relationships and the like that are looked at, the newest. */
const MOST = 1_000;

/** Decisions of an agent since a time, with judgements that no person had to give. */
export interface Decided {
  readonly made: number;
  readonly abstained: number;
  /** Decisions of people elsewhere about its decisions. */
  readonly labels: readonly Label[];
}
interface Span {
  readonly tenant: string;
  readonly from: number;
  readonly to: number;
  readonly abstainBelow: number;
}
type Count = (ports: Ports, span: Span) => Promise<Decided>;

async function newestGroups({ correlation }: Ports, { tenant, from, to }: Span) {
  const groups: Group[] = [];
  let [cursor, total] = ['' as string | null, 0];
  while (groups.length < MOST && cursor !== null) {
    const page = { sort: 'last', order: 'desc', limit: PAGE, ...(cursor !== '' && { cursor }) } as const;
    const found = await correlation.groups(tenant, { from, to }, page);
    groups.push(...found.items);
    [cursor, total] = [found.nextCursor, found.total];
  }
  return { groups, total };
}

const correlation: Count = async ({ eventAggregates }, { tenant, from, to }) => {
  const { buckets } = await eventAggregates.aggregate(
    tenant,
    { from, to },
    { measure: 'correlated', by: [], limit: 1 },
  );
  return { made: buckets[0]?.sum ?? 0, abstained: 0, labels: [] };
};

/** Of more groups than are looked at the newest count. */
const rootCause: Count = async (ports, span) => {
  const { groups } = await newestGroups(ports, span);
  const named = groups.filter(({ candidate }) => (candidate?.confidence ?? 0) >= span.abstainBelow);
  return { made: named.length, abstained: groups.length - named.length, labels: [] };
};

const labelled = (
  subject: Label['subject'],
  verdict: Label['verdict'],
  more: Pick<Label, 'agent' | 'confidence' | 'user' | 'at'>,
): Label => ({ subject, verdict, note: null, ...more });

const relationships: Count = async (ports, { tenant, from }) => {
  const page = { sort: 'created_at', order: 'desc', limit: PAGE } as const;
  const accepted: Relationship[] = [];
  const filter = { includeAi: true, fromAi: 'both' } as const;
  let [open, cursor] = [0, '' as string | null];
  for (let seen = 0; seen < MOST && cursor !== null; seen += PAGE) {
    const found = await ports.topology.findRelationships(tenant, filter, { ...page, ...(cursor !== '' && { cursor }) });
    const own = found.items.filter(({ createdAt }) => createdAt >= from);
    accepted.push(...own.filter(({ discoveredBy }) => discoveredBy === 'ai-accepted'));
    open += own.filter(({ discoveredBy }) => discoveredBy === 'ai').length;
    cursor = own.length < found.items.length ? null : found.nextCursor;
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

/** A question to people is an abstention; their answer judges the first candidate. */
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

const changeRisk: Count = async ({ records }, { tenant, from }) => {
  const recent = (await latestAssessments(records, tenant)).filter(({ at }) => at >= from);
  return { made: recent.length, abstained: 0, labels: [] };
};

const capacity: Count = async ({ records }, { tenant, from }) => {
  const recent = (await storedForecasts(records, tenant)).filter((one) => one.from >= from);
  return { made: recent.length, abstained: 0, labels: [] };
};

export const DECIDED: Readonly<Record<AgentId, Count>> = {
  correlation,
  'root-cause': rootCause,
  relationships,
  reconciliation,
  'change-risk': changeRisk,
  capacity,
};
