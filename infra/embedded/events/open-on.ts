import { type Status, severityOfRank } from '#domain/event/event.ts';
import type { OpenCounts } from '#domain/services/health.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';
import { statusCode } from './row.ts';

export interface OpenOn {
  readonly tenant: string;
  readonly ciIds: readonly string[];
  readonly statuses?: readonly Status[] | undefined;
}

const UNRESOLVED: readonly Status[] = ['open', 'acknowledged'];

/** Events by CI and severity, without changes. */
export function openOn(
  reading: Reading,
  { tenant, ciIds, statuses = UNRESOLVED }: OpenOn,
): ReadonlyMap<string, OpenCounts> {
  const rows = reading
    .arrays<[ci: string, rank: number, n: number]>(
      `SELECT e.ci_id, e.severity, count(*) FROM json_each(?2) asked CROSS JOIN event e INDEXED BY event_ci
       ON e.tenant = ?1 AND e.ci_id = asked.value
       WHERE e.is_change = 0 AND e.status IN (${statuses.map(statusCode).join(', ')}) GROUP BY e.ci_id, e.severity`,
    )
    .all(tenant, JSON.stringify([...new Set(ciIds)]));
  const found = new Map<string, OpenCounts>();
  for (const [ci, rank, n] of rows) found.set(ci, { ...found.get(ci), [severityOfRank(rank)]: n });
  return found;
}
