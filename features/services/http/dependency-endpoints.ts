import { z } from 'zod';
import { onBothLinked } from '#api/surfaces/both.ts';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { findService } from '#application/services/service-store.ts';
import { entryOf } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { ServiceDependency } from '#domain/services/dependencies.ts';
import type { Health } from '#domain/services/health.ts';
import type { Service } from '#domain/services/service.ts';
import { drawServiceMap } from '#features/services/schemas/service-map.ts';
import { Dependencies } from '#features/services/schemas/services.ts';
import { assess, lossesOn } from '#features/services/use-cases/assess.ts';
import { type FoundDependencies, findDependencies } from '#features/services/use-cases/find-dependencies.ts';
import { iso } from '#schemas/http/time.ts';
import { ServicePath } from './service-endpoints.ts';

/** Services drawn in each direction. */
const DRAWN = 25;

const healthById = async (ports: Ports, tenant: string, services: readonly Service[]) => {
  const assessed = services.length === 0 ? [] : await assess(ports, tenant, services);
  return new Map(assessed.map(({ service, health }) => [service.id, health]));
};

const drawMap = async (ports: Ports, tenant: string, service: Service): Promise<string> => {
  const found = await findDependencies(ports, tenant, service);
  const [upstream, downstream] = [found.upstream.slice(0, DRAWN), found.downstream.slice(0, DRAWN)];
  const services = [service, ...[...upstream, ...downstream].map((one) => one.service)];
  const losses = await lossesOn(ports, tenant, services);
  const components = service.components.map(({ ciId }) => ciId);
  const names = new Map((await ports.topology.getCis(tenant, components)).map(({ id, name }) => [id, name]));
  const health = await healthById(ports, tenant, services);
  return drawServiceMap({ service, upstream, downstream, health, names, losses, drawnAt: iso(ports.clock.now()) });
};

/** Kind of the signed link, and how long it opens the map; s. */
const PAGE = 'service-map';
const LINK_TTL_S = 24 * 60 * 60;

interface DependenciesView extends FoundDependencies {
  readonly id: string;
  readonly link: string;
  readonly health: ReadonlyMap<string, Health>;
}
const dependencyBody =
  (health: DependenciesView['health']) =>
  ({ service: { id, name }, type, impact }: ServiceDependency) => ({
    service_id: id,
    name,
    health: { ...entryOf(health, id) },
    type,
    impact,
  });

const presentAt =
  (prefix: string) =>
  ({ id, link, health, upstream, downstream }: DependenciesView, { baseUrl }: { baseUrl: string }) => ({
    body: {
      service_id: id,
      dependencies: {
        upstream: upstream.map(dependencyBody(health)),
        downstream: downstream.map(dependencyBody(health)),
      },
      dependency_map: { visualization_url: `${baseUrl}${prefix}/services/${id}/map?link=${link}` },
    },
  });

const getDependencies = endpoint<string, DependenciesView>({
  id: 'services.dependencies',
  summary: 'Get service dependencies',
  description: 'The map URL requires no credential and is valid for 24 hours.',
  tag: 'Services',
  permission: 'services.read',
  mounts: onBothLinked.get(
    '/services/{id}/dependencies',
    Dependencies,
    { params: ServicePath, read: ({ params }) => params.id },
    presentAt,
  ),
  async handle(id, { tenant, ports }) {
    const { body } = await findService(ports.records, tenant, id);
    const link = await ports.keys.signLink({ page: PAGE, tenant, sub: id }, LINK_TTL_S);
    const found = await findDependencies(ports, tenant, body);
    const services = [...found.upstream, ...found.downstream].map(({ service }) => service);
    return { id, link, ...found, health: await healthById(ports, tenant, services) };
  },
});

const SVG = 'image/svg+xml; charset=utf-8';
interface Linked {
  readonly id: string;
  readonly link: string;
}
const drawn = {
  method: 'get',
  path: '/services/{id}/map',
  params: ServicePath,
  query: z.strictObject({ link: z.string().regex(/^[\w.-]{1,2048}$/, 'expected the value of a signed link') }),
  reply: z.string(),
  replyType: SVG,
  read: ({ params, query }: { params: { id: string }; query: { link: string } }): Linked => ({
    id: params.id,
    link: query.link,
  }),
  present: (svg: string) => ({ raw: { type: SVG, content: svg }, body: undefined }),
} as const;

/** The bearer of the link may look: it is signed, names one service and expires. */
const getMap = endpoint<Linked, string>({
  id: 'services.map',
  summary: 'Get the service dependency map (SVG, signed link)',
  tag: 'Services',
  permission: null,
  limit: 'none',
  alsoFaults: ['unauthenticated'],
  mounts: [mount({ on: 'v1', ...drawn }), mount({ on: 'platform', ...drawn })],
  async handle({ id, link }, { ports }) {
    const tenant = await ports.keys.verifyLink(link, { page: PAGE, sub: id });
    if (tenant === null)
      throw new Fault(
        'unauthenticated',
        `The link has expired or is invalid. Get a new one from /services/${id}/dependencies`,
      );
    const { body } = await findService(ports.records, tenant, id);
    return drawMap(ports, tenant, body);
  },
});

export const dependencyEndpoints = [getDependencies, getMap];
