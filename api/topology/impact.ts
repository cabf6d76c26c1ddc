import { z } from 'zod';
import { type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { asOfField, atTime, findCi, requireKept, requirePast } from '#application/cmdb/as-of.ts';
import type { Service } from '#domain/services/service.ts';
import { lossOf } from '#domain/topology/graph/redundancy.ts';
import type { Ci, Impact } from '#domain/topology/topology.ts';
import { ImpactBody, impactBody } from '#schemas/http/cmdb/hops.ts';
import { wholeNumber } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';

/** CIs looked at, and shown. */
const MAX_IMPACT = 10_000;
const DEFAULT_SHOWN = 1_000;

const Query = z.strictObject({ limit: wholeNumber(1, MAX_IMPACT).default(DEFAULT_SHOWN), as_of: asOfField });
interface Input {
  readonly id: string;
  readonly limit: number;
  readonly asOf: number | undefined;
}
interface Found {
  readonly ci: Ci;
  readonly impact: Impact;
  readonly services: z.output<typeof ImpactBody>['services'];
  readonly limit: number;
}
const got = {
  method: 'get',
  path: '/cmdb/ci/{id}/impact',
  params: z.object({ id: z.string() }),
  query: Query,
  read: ({ params, query }: { params: { id: string }; query: z.output<typeof Query> }): Input => ({
    id: params.id,
    limit: query.limit,
    asOf: query.as_of,
  }),
  present: ({ ci: { id, name, type }, impact, services, limit }: Found) => ({
    body: impactBody({ id, name, type }, impact, services, limit),
  }),
} as const;

/** A service that has what it needs of every redundant group works on, with less. */
const hit = (
  { id, name, criticality, components }: Service,
  failed: ReadonlySet<string>,
): Found['services'][number] => {
  const loss = lossOf(components.map(({ ciId, redundancy }) => ({ redundancy, loss: failed.has(ciId) ? 1 : 0 })));
  return {
    ...{ id, name, criticality },
    impact: loss === 1 ? 'full_outage' : 'degraded_functionality',
    components: components.map(({ ciId }) => ciId).filter((ciId) => failed.has(ciId)),
  };
};

/** Business services with a component among the CIs, by name. */
const servicesOf = async (
  { tenant, ports, receivedAt }: Context,
  failed: ReadonlySet<string>,
): Promise<Found['services']> => {
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  const services = new Set([...failed].flatMap((ci) => byCi.get(ci) ?? []));
  return [...services].map((service) => hit(service, failed)).sort((a, b) => (a.name < b.name ? -1 : 1));
};

export const getImpact = endpoint<Input, Found>({
  id: 'cmdb.get-impact',
  summary: 'What fails when a configuration item fails',
  description:
    'Downstream over dependencies, power and place; CIs of which enough redundant paths are left are protected and stop it. Services are those of today.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'standard',
  alsoFaults: ['unprocessable'],
  mounts: [
    mount({ on: 'v1', ...got, reply: ImpactBody }),
    mount({ on: 'platform', ...got, reply: wrapped(ImpactBody) }),
  ],
  async handle({ id, limit, asOf }, context) {
    requirePast(asOf, context);
    const ci = await findCi(context, id, asOf);
    requireKept(asOf, context);
    const impact = await context.ports.graph.impact(context.tenant, [ci.id], { limit: MAX_IMPACT, ...atTime(asOf) });
    const failed = new Set([ci.id, ...impact.impacted.map((one) => one.ci)]);
    return { ci, impact, services: await servicesOf(context, failed), limit };
  },
});
