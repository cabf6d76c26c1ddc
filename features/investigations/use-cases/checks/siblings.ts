import { CAUSE_TYPES } from '#domain/topology/topology.ts';
import { type SiblingFacts, siblingsFinding } from '#features/investigations/rules/findings.ts';
import type { CauseHypothesis, GroupScene, HypothesisCi } from '#features/investigations/rules/investigation.ts';
import type { InvestigationAsking } from './asking.ts';
import type { CheckRun } from './check-run.ts';

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
export const checkSiblings: CheckRun = async (asking, scene, hypothesis) => {
  const shared = hypothesis.reach.needs.filter(({ hops }) => hops === 1).slice(0, SHARED);
  return siblingsFinding(hypothesis, await Promise.all(shared.map((one) => besideIt(asking, scene, hypothesis, one))));
};
