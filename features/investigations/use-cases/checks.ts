import type { QueryContext } from '#application/access/context.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { CAUSE_TYPES } from '#domain/topology/topology.ts';
import type { AiCaller, AiMode } from '#features/ai/use-cases/answer.ts';
import {
  changesFinding,
  HISTORY_MS,
  historyFinding,
  type PastFacts,
  type PastGroup,
  pastFinding,
  pathFinding,
  type SiblingFacts,
  siblingsFinding,
} from '#features/investigations/rules/findings.ts';
import type {
  CauseHypothesis,
  CheckFinding,
  GroupScene,
  HypothesisCi,
  InvestigationCheck,
} from '#features/investigations/rules/investigation.ts';

/** The caller of an investigation. */
export interface InvestigationAsking extends QueryContext, AiCaller {
  readonly mode: AiMode;
}

/** Reads the facts of one check and judges them by rules. */
export type CheckRun = (
  asking: InvestigationAsking,
  scene: GroupScene,
  hypothesis: CauseHypothesis,
) => Promise<CheckFinding>;

/** Counts earlier events with the problem on the CI, or earlier changes of the CI. */
const checkHistory: CheckRun = async ({ ports, tenant }, scene, hypothesis) => {
  const { event, ci, since } = hypothesis;
  if (event === null) {
    const { total } = await ports.history.changes(tenant, ci?.id ?? '', { limit: 1 });
    return historyFinding(hypothesis, scene, Math.max(0, total - 1));
  }
  const filter = {
    signatures: [event.signature],
    from: since - HISTORY_MS,
    to: since,
    ...(ci !== null && { ciIds: [ci.id] }),
  };
  const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, { measure: 'events', by: [], limit: 1 });
  return historyFinding(hypothesis, scene, buckets[0]?.count ?? 0);
};

const MAX_OPEN = 100;
const ON = ['open', 'acknowledged'] as const;

/** Finds dependents with open events elsewhere, and dependencies that failed before it. */
const checkPath: CheckRun = async ({ ports, tenant }, scene, hypothesis) => {
  const { reach, since } = hypothesis;
  const outside = reach.dependents.map(({ id }) => id).filter((id) => !scene.hit.has(id));
  const needs = reach.needs.map(({ id }) => id);
  const page = { sort: 'timestamp', order: 'asc', limit: MAX_OPEN } as const;
  const [open, above] = await Promise.all([
    outside.length === 0 ? new Map<string, unknown>() : ports.eventCounts.openOn(tenant, outside),
    needs.length === 0
      ? []
      : (await ports.events.part(tenant, { ciId: needs, statuses: ON, to: since, usual: false }, page)).items,
  ]);
  const failed = new Map<string, HypothesisCi>();
  for (const { ci, timestamp } of above) if (ci !== null && timestamp < since) failed.set(ci.id, ci);
  return pathFinding(hypothesis, scene, { otherwiseOpen: new Set(open.keys()), failedNeeds: [...failed.values()] });
};

/** Maximum number of direct dependencies, and of dependents of each, to read. */
const SHARED = 3;
const SIBLINGS = 50;

async function besideIt(
  { ports, tenant }: InvestigationAsking,
  { hit }: GroupScene,
  { ci, reach }: CauseHypothesis,
  shared: HypothesisCi,
): Promise<SiblingFacts> {
  const options = { hops: 1, direction: 'down', types: CAUSE_TYPES, limit: SIBLINGS } as const;
  const { nodes } = await ports.graph.neighbourhood(tenant, shared.id, options);
  const below = new Set([ci?.id, shared.id, ...reach.dependents.map(({ id }) => id)]);
  const siblings = nodes.filter((one) => !below.has(one.ci)).map((one) => ({ id: one.ci, name: one.name }));
  const quiet = siblings.map(({ id }) => id).filter((id) => !hit.has(id));
  const open = quiet.length === 0 ? null : await ports.eventCounts.openOn(tenant, quiet);
  return { shared, siblings, failed: siblings.filter(({ id }) => hit.has(id) || open?.has(id) === true) };
}

/** Finds CIs that share a dependency with the CI but do not depend on it. */
const checkSiblings: CheckRun = async (asking, scene, hypothesis) => {
  const shared = hypothesis.reach.needs.filter(({ hops }) => hops === 1).slice(0, SHARED);
  return siblingsFinding(hypothesis, await Promise.all(shared.map((one) => besideIt(asking, scene, hypothesis, one))));
};

/** Maximum number of earlier events and of their groups to read. */
const EVENTS = 50;
const GROUPS = 5;

/** Reads whether this problem was the root cause of an earlier group, according to its verdict. */
async function judged(
  { groupRows, events }: Pick<Ports, 'groupRows' | 'events'>,
  tenant: string,
  member: Event,
): Promise<PastGroup[]> {
  const row = await groupRows.get(tenant, member.correlationId ?? '');
  const root = row?.care.verdict?.rootEventId ?? row?.group.candidate?.eventId;
  if (row === null || root === undefined) return [];
  const cause = root === member.id ? member : await events.get(tenant, root);
  const isSame = cause?.signature === member.signature;
  const { cause: said, rootEventId } = row.care.verdict ?? {};
  const isRight = said === 'right' || rootEventId !== undefined ? isSame : said === 'wrong' && isSame ? false : null;
  return [{ isRight, eventId: member.id }];
}

const resolvedOf = (past: readonly Event[]): PastFacts['resolved'] => {
  const done = past.filter(({ resolvedAt }) => resolvedAt !== undefined);
  const last = done.find(({ resolutionNotes }) => resolutionNotes !== undefined) ?? done[0];
  if (last?.resolvedAt === undefined) return null;
  const { resolvedBy, resolvedAt, firstOccurrence, resolutionNotes, id } = last;
  return {
    by: resolvedBy?.name ?? null,
    afterMs: Math.max(0, resolvedAt - firstOccurrence),
    notes: resolutionNotes ?? null,
    eventId: id,
  };
};

/** Reads earlier events with the problem on any CI, their groups, and their resolution. */
const checkPast: CheckRun = async ({ ports, tenant }, scene, hypothesis) => {
  const { event, since } = hypothesis;
  const empty: PastFacts = { groups: [], events: 0, resolved: null };
  if (event === null) return pastFinding(hypothesis, scene, empty);
  const range = { from: since - HISTORY_MS, to: since - 1, limit: EVENTS };
  const found = (await ports.eventHistory.history(tenant, [event.signature], range)).get(event.signature) ?? [];
  if (found.length === 0) return pastFinding(hypothesis, scene, empty);
  const stored = await ports.events.getMany(
    tenant,
    found.map(({ id }) => id),
  );
  const past = stored
    .filter(({ correlationId }) => correlationId === null || correlationId !== event.correlationId)
    .sort((a, b) => b.timestamp - a.timestamp);
  const byGroup = new Map(past.flatMap((one) => (one.correlationId === null ? [] : [[one.correlationId, one]])));
  const groups = await Promise.all([...byGroup.values()].slice(0, GROUPS).map((one) => judged(ports, tenant, one)));
  return pastFinding(hypothesis, scene, { groups: groups.flat(), events: past.length, resolved: resolvedOf(past) });
};

/** The scene already contains the changes. */
const checkChanges: CheckRun = async (_asking, scene, hypothesis) => changesFinding(hypothesis, scene);

export const CHECK_RUNS: Readonly<Record<InvestigationCheck, CheckRun>> = {
  history: checkHistory,
  changes: checkChanges,
  path: checkPath,
  siblings: checkSiblings,
  past: checkPast,
};
