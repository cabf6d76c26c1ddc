import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { acquirePlace } from '#application/tasks/places.ts';
import { Fault, isOvertaken } from '#domain/fault.ts';
import { analysisTasks } from './analysis-tasks.ts';
import { ANALYSIS_KINDS, type AnalysisSession, findSession, SESSION_KEPT_MS } from './records.ts';

/** Kind of the signed link to a stream, and how long it opens it; s. */
export const STREAM_PAGE = 'analysis';
const LINK_TTL_S = 3_600;

export interface AnalysisAsked {
  readonly tenantId: string | undefined;
  readonly sessionId: string | undefined;
}
export interface StartedAnalysis {
  readonly sessionId: string;
  /** Query value of the link. */
  readonly link: string;
}

const finished = (id: string): Fault =>
  new Fault('conflict', `Analysis ${id} has finished. Get its result, or start a new one`);
const another = (sessionId: string): Fault =>
  new Fault('conflict', 'Another analysis of this tenant is running', [], { data: { sessionId } });

const newSession = ({ receivedAt, caller }: UseCaseContext, id: string): AnalysisSession => ({
  id,
  status: 'running',
  startedAt: receivedAt,
  completedAt: null,
  by: caller.id,
  error: null,
  parts: {},
  counts: {},
});

/**
 * Starts an analysis in the background; one that runs already answers alike. Throws Fault `tenant` for another tenant's id, `conflict` when
 * the session has finished or another one is running.
 */
export async function startAnalysis(context: UseCaseContext, asked: AnalysisAsked): Promise<StartedAnalysis> {
  const { tenant, ports } = context;
  if (asked.tenantId !== undefined && asked.tenantId !== tenant)
    throw new Fault('tenant', 'tenantId: unknown tenant, or no access to it');
  requirePermission(context, 'cmdb.read');
  const id = asked.sessionId ?? ports.ids.ulid();
  const known = await findSession(ports.records, tenant, id);
  if (known !== null && known.body.status !== 'running') throw finished(id);
  if (known === null) {
    const held = await acquirePlace(ports, analysisTasks, { tenant, id, at: context.receivedAt });
    if (held.id !== id) throw another(held.id);
    const session = newSession(context, id);
    const options = { expected: 0, expiresAt: session.startedAt + SESSION_KEPT_MS };
    await ports.records.put(tenant, ANALYSIS_KINDS.session, id, session, options).catch((error: unknown) => {
      // The same request at the same time was faster.
      if (!isOvertaken(error)) throw error;
    });
    ports.background.ring(analysisTasks.name);
  }
  return { sessionId: id, link: await ports.keys.signLink({ page: STREAM_PAGE, tenant, sub: id }, LINK_TTL_S) };
}
