import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { Fault, isOvertaken } from '#domain/fault.ts';
import { placeOf, type QueuedAnalysisRecord, stateOf, takePlace } from './queue.ts';
import { ANALYSE, ANALYSIS_KINDS, type AnalysisSession, findSession, SESSION_KEPT_MS } from './records.ts';

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
  new Fault('conflict', `The analysis ${id} has finished: ask for its result, or start another one`);
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

/** The tenant's place for this session. Throws Fault `conflict` while another session has it. */
async function requirePlace({ ports, tenant, receivedAt: at }: UseCaseContext, session: string): Promise<void> {
  const place = { tenant, session, at };
  let known: QueuedAnalysisRecord | null = await placeOf(ports, tenant);
  for (;;) {
    if (known?.body.session === session) return;
    if (known !== null && (await stateOf(ports, known)) !== 'lost') throw another(known.body.session);
    if (await takePlace(ports, place, known)) return;
    known = await placeOf(ports, tenant);
  }
}

/**
 * Starts an analysis in the background; one that runs already answers alike. Throws Fault `tenant` for another tenant's id, `conflict` when
 * the session has finished or another one is running.
 */
export async function startAnalysis(context: UseCaseContext, asked: AnalysisAsked): Promise<StartedAnalysis> {
  const { tenant, ports } = context;
  if (asked.tenantId !== undefined && asked.tenantId !== tenant)
    throw new Fault('tenant', 'tenantId names a tenant that is unknown or not yours');
  requirePermission(context, 'cmdb.read');
  const id = asked.sessionId ?? ports.ids.ulid();
  const known = await findSession(ports.records, tenant, id);
  if (known !== null && known.body.status !== 'running') throw finished(id);
  if (known === null) {
    await requirePlace(context, id);
    const session = newSession(context, id);
    const options = { expected: 0, expiresAt: session.startedAt + SESSION_KEPT_MS };
    await ports.records.put(tenant, ANALYSIS_KINDS.session, id, session, options).catch((error: unknown) => {
      // The same request at the same time was faster.
      if (!isOvertaken(error)) throw error;
    });
    ports.background.ring(ANALYSE);
  }
  return { sessionId: id, link: await ports.keys.signLink({ page: STREAM_PAGE, tenant, sub: id }, LINK_TTL_S) };
}
