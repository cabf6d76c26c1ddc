import type { UseCaseContext } from '#application/access/context.ts';
import type { Criticality } from '#domain/event/business-impact.ts';
import { Fault, notFound } from '#domain/fault.ts';
import { jsonSize } from '#domain/json-size.ts';
import { SERVICE_KINDS, type Service, type ServiceAnalysis } from '#domain/services/service.ts';
import type { NewServiceInput } from '#features/services/schemas/services.ts';
import { createService } from '#features/services/use-cases/services.ts';

/** Limit of the stored data of an analysis, as JSON. */
const MAX_ANALYSIS_BYTES = 256 * 1_024;

export interface SaveAsked {
  readonly name: string;
  readonly description: string;
  readonly criticality: Criticality;
  readonly components: NewServiceInput['components'];
  /** Analysis as sent. */
  readonly kept: Omit<ServiceAnalysis, 'savedAt' | 'savedBy'>;
}

function requireFits(kept: SaveAsked['kept']): void {
  if (jsonSize(kept) <= MAX_ANALYSIS_BYTES) return;
  const reason = `expected discoveryConfig, components and analysis of at most ${MAX_ANALYSIS_BYTES / 1_024} KiB of JSON together`;
  throw new Fault('too-large', `analysis: ${reason}`, [{ field: 'analysis', reason }]);
}

/** Creates a business service from the result, and stores its analysis. Throws Fault `conflict` when the name is in use. */
export async function saveService(context: UseCaseContext, asked: SaveAsked): Promise<Service> {
  const { name, description, criticality, components, kept } = asked;
  requireFits(kept);
  const { tenant, caller, receivedAt } = context;
  const body: ServiceAnalysis = { ...kept, savedAt: receivedAt, savedBy: caller.id };
  const input: NewServiceInput = { name, description, criticality, sla: {}, components };
  const along = ({ id }: Service) => [{ tenant, kind: SERVICE_KINDS.analysis, id, body }];
  return (await createService(context, input, along)).service;
}

/** Throws Fault `not-found` for a service that is not there, or that no analysis has found. */
export async function readAnalysis({ tenant, ports }: UseCaseContext, id: string): Promise<ServiceAnalysis> {
  const stored = await ports.records.get<ServiceAnalysis>(tenant, SERVICE_KINDS.analysis, id);
  if (stored === null) throw notFound('Analysis of service', id);
  return stored.body;
}
