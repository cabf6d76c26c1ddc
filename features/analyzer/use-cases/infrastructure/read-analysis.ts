import type { UseCaseContext } from '#application/access/context.ts';
import { notFound } from '#domain/fault.ts';
import type { FoundService } from '#features/analyzer/rules/communities/found-service.ts';
import { SERVICES_PER_PART } from './analyse-infrastructure.ts';
import type { AnalysisProgress } from './progress-event.ts';
import { type AnalysisSession, findSession, newestEvent, readEvent, readPart } from './records.ts';

export interface ReadAnalysis {
  readonly session: AnalysisSession;
  /** Progress of a running session. */
  readonly progress: AnalysisProgress | null;
  readonly services: readonly FoundService[];
  readonly total: number;
}

async function progressOf({ ports: { records }, tenant }: Pick<UseCaseContext, 'ports' | 'tenant'>, id: string) {
  const event = await readEvent(records, tenant, id, await newestEvent(records, tenant, id));
  return event?.type === 'progress' ? event : null;
}

/** Some services of a session, the surest first. Throws Fault `not-found`. */
export async function readAnalysis(
  asking: Pick<UseCaseContext, 'ports' | 'tenant'>,
  id: string,
  { start, limit }: { readonly start: number; readonly limit: number },
): Promise<ReadAnalysis> {
  const { ports, tenant } = asking;
  const stored = await findSession(ports.records, tenant, id);
  if (stored === null) throw notFound('Analysis', id);
  const session = stored.body;
  const progress = session.status === 'running' ? await progressOf(asking, id) : null;
  if (session.status !== 'completed') return { session, progress, services: [], total: 0 };
  const services: FoundService[] = [];
  const parts = session.parts.services ?? 0;
  const first = Math.floor(start / SERVICES_PER_PART);
  for (let n = first; n < parts && n * SERVICES_PER_PART < start + limit; n++)
    services.push(...((await readPart<readonly FoundService[]>(ports.records, tenant, id, 'services', n)) ?? []));
  const skipped = start - first * SERVICES_PER_PART;
  return { session, progress, services: services.slice(skipped, skipped + limit), total: session.counts.services ?? 0 };
}
