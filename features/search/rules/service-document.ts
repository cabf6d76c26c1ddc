import type { SearchDocument } from '#domain/search/document.ts';
import type { Service } from '#domain/services/service.ts';

/** A service as it is found; `names`: of CIs that it consists of. */
export const serviceDocument = (service: Service, names: readonly string[]): SearchDocument => ({
  kind: 'service',
  id: service.id,
  title: service.name,
  text: [...new Set([service.description, ...service.components.map(({ role }) => role), ...names])].join('\n'),
  at: service.updatedAt,
  facts: { criticality: service.criticality },
});
