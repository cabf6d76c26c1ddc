import type { Ports } from '#domain/ports/ports.ts';
import { MOST_WAITING, type Report } from '#features/reports/rules/report.ts';
import { waitingOf } from '#features/reports/use-cases/report-records.ts';

/** Reports that one process makes at a time. */
export const AT_ONCE = 2;
/** Memory for a report of some thousand rows, `npm run bench -- reports`. */
const USUAL_MS = 5_000;

/** When a report that is not made yet may be done, ms. Those of other tenants are not looked at. */
export async function estimatedAt(
  { ports, tenant, receivedAt }: { readonly ports: Ports; readonly tenant: string; readonly receivedAt: number },
  { id }: Pick<Report, 'id'>,
): Promise<number> {
  const waiting = await waitingOf(ports, tenant, MOST_WAITING);
  const ahead = waiting.filter(({ body }) => body.report < id).length;
  return receivedAt + USUAL_MS * (1 + Math.floor(ahead / AT_ONCE));
}
