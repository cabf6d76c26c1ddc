import { waitingOf } from '#application/tasks/places.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { MAX_WAITING, type Report } from '#features/reports/rules/report.ts';
import { reportTasks } from './report-tasks.ts';

/** Typical time of a report with some thousand rows (`npm run bench -- reports`). */
const USUAL_MS = 5_000;

/** Estimates when a waiting report will be completed, ms. Ignores reports of other tenants. */
export async function estimatedAt(
  { ports, tenant, receivedAt }: { readonly ports: Ports; readonly tenant: string; readonly receivedAt: number },
  { id }: Pick<Report, 'id'>,
): Promise<number> {
  const waiting = await waitingOf(ports, reportTasks, tenant, MAX_WAITING);
  const ahead = waiting.filter(({ body }) => body.id < id).length;
  return receivedAt + USUAL_MS * (1 + Math.floor(ahead / reportTasks.atOnce));
}
