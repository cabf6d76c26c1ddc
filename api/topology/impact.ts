import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { asOfField, atTime, findCi, requireKept, requirePast } from '#application/cmdb/as-of.ts';
import { type ServiceHit, servicesHit } from '#application/services/services-hit.ts';
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

const shown = ({ service: { id, name, criticality }, impact, components }: ServiceHit): Found['services'][number] => ({
  ...{ id, name, criticality, impact },
  components: [...components],
});

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
    return { ci, impact, services: (await servicesHit(context, failed)).map(shown), limit };
  },
});
