import { HISTORY_MS, historyFinding } from '#features/investigations/rules/findings.ts';
import type { CheckRun } from './check-run.ts';

/** Counts earlier events with the problem on the CI, or earlier changes of the CI. */
export const checkHistory: CheckRun = async ({ ports, tenant }, scene, hypothesis) => {
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
