import type { CiRow, States } from '#console/api/cmdb/cmdb.ts';
import type { Drawing, DrawnNode } from '#console/maps/drawn.ts';
import type { ServiceDependencies, ServiceShown } from './api.ts';

/** Health as maps mark it. */
const WORST = { critical: 'critical', degraded: 'major', healthy: null, unknown: null } as const;

const serviceNode = (id: string, name: string): DrawnNode => ({
  id,
  name,
  type: 'service',
  role: 'plain',
  worst: null,
  open: 0,
  acknowledged: 0,
});

/** Above the service what it needs, below it what needs it. */
export const drawnService = (
  service: ServiceShown,
  cis: readonly CiRow[],
  states: States,
  needs: ServiceDependencies | undefined,
): Drawing => {
  const own = { ...serviceNode(service.id, service.name), worst: WORST[service.health.status] };
  const components = cis.map(({ _id: id, name, type }): DrawnNode => {
    const { worst = null, open = 0, acknowledged = 0 } = states[id] ?? {};
    return { id, name, type, role: 'plain', worst, open, acknowledged };
  });
  const { upstream = [], downstream = [] } = needs ?? {};
  const edge = (source: string, target: string, type: string) => ({ source, target, type });
  return {
    nodes: [
      ...components,
      ...upstream.map(({ service_id: id, name }) => serviceNode(id, name)),
      own,
      ...downstream.map(({ service_id: id, name }) => serviceNode(id, name)),
    ],
    edges: [
      ...components.map(({ id }) => edge(own.id, id, 'runs_on')),
      ...upstream.map(({ service_id: id }) => edge(own.id, id, 'depends_on')),
      ...downstream.map(({ service_id: id }) => edge(id, own.id, 'depends_on')),
    ],
  };
};
