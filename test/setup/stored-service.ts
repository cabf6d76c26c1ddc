import { addService } from '#application/services/service-store.ts';
import type { Ports } from '#domain/ports/ports.ts';

/**
 * A business service of one CI, as the core stores it: groups and impacts contain it even without endpoints for
 * services.
 */
export const storeService = async (ports: Ports, tenant: string, name: string, ciId: string): Promise<void> => {
  const at = ports.clock.now();
  const service = {
    id: ports.ids.ulid(),
    name,
    description: '',
    criticality: 'medium',
    sla: { availability: null, responseTime: null },
    components: [{ ciId, role: 'node', redundancy: null }],
    createdAt: at,
    updatedAt: at,
    createdBy: 'test',
    updatedBy: 'test',
  } as const;
  await addService(ports, tenant, service, []);
};
