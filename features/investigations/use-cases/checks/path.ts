import { pathFinding } from '#features/investigations/rules/findings.ts';
import type { HypothesisCi } from '#features/investigations/rules/investigation.ts';
import type { CheckRun } from './check-run.ts';

const MAX_OPEN = 100;
const ON = ['open', 'acknowledged'] as const;

/** Finds dependents with open events elsewhere, and dependencies that failed before it. */
export const checkPath: CheckRun = async ({ ports, tenant }, scene, hypothesis) => {
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
  return pathFinding(hypothesis, scene, {
    otherwiseOpen: new Set(open.keys()),
    failedNeeds: [...failed.values()],
  });
};
