import type { Ports } from '#domain/ports/ports.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { DEGREES, makeInfrastructure } from '../../bench/infrastructures.ts';

const AT = Date.parse('2026-11-20T12:00:00Z');

/** Fills a tenant's CMDB with an infrastructure of this number of services. */
export async function fillInfrastructure(
  { cis, relationships }: Pick<Ports, 'cis' | 'relationships'>,
  tenant: string,
  services: number,
) {
  const { estate, truth } = makeInfrastructure(services, DEGREES[1]!, 5);
  const made = { createdAt: AT, updatedAt: AT, revision: 1 };
  const by = { createdBy: 'test', updatedBy: 'test' };
  await cis.put(
    tenant,
    estate.cis.map(
      ({ id, name, type }): Ci => ({
        tenant,
        id,
        name,
        type,
        status: 'active',
        attributes: {},
        customFields: {},
        ...made,
        ...by,
      }),
    ),
  );
  const links = new Map<string, Relationship>();
  for (const { source: from, target: to, type, port } of estate.links) {
    const [source, target] = [estate.cis[from]!.id, estate.cis[to]!.id];
    const id = `01RE${String(links.size).padStart(22, '0')}`;
    const attributes = port === null ? {} : { port };
    const link: Relationship = {
      tenant,
      id,
      type,
      source,
      target,
      attributes,
      discoveredBy: 'test',
      confidence: 1,
      ...made,
    };
    if (!links.has(`${source} ${target} ${type}`)) links.set(`${source} ${target} ${type}`, link);
  }
  await relationships.put(tenant, [...links.values()]);
  return { estate, truth };
}
