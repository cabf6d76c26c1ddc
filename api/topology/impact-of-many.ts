import { z } from 'zod';
import { both } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { ImpactOfManyBody, impactOfManyBody } from '#schemas/http/cmdb/hops.ts';
import { Time } from '#schemas/http/time.ts';
import { DEFAULT_SHOWN, FOLLOWED, type FoundImpact, findImpact, MAX_IMPACT } from './find-impact.ts';

/** CIs that fail at the same time. */
const MAX_FAILING = 500;
const MAX_TYPES = 100;

const Body = z
  .strictObject({
    ci_ids: z.array(z.string().min(1).max(255)).min(1).max(MAX_FAILING),
    types: z.array(z.string().min(1).max(255)).max(MAX_TYPES).default([]).meta({ description: FOLLOWED }),
    as_of: Time.optional(),
    limit: z.int().min(1).max(MAX_IMPACT).default(DEFAULT_SHOWN),
  })
  .meta({ id: 'ImpactOfMany', example: { ci_ids: ['01M7YYCSX1W0SAZZRHKVPG78N3', '01M7YYCSX1W0SAZZRHKVPG78N4'] } });
type Body = z.output<typeof Body>;

interface Found extends FoundImpact {
  readonly limit: number;
}
const asked = {
  method: 'post',
  path: '/cmdb/impact',
  body: Body,
  read: ({ body }: { body: Body }) => body,
  present: ({ cis, impact, services, limit }: Found) => ({ body: impactOfManyBody(cis, impact, services, limit) }),
} as const;

export const getImpactOfMany = endpoint<Body, Found>({
  id: 'cmdb.get-impact-of-many',
  summary: 'What fails when several configuration items fail together',
  description:
    'As for one of them, while redundancy is judged with all of them gone. Hops count from the nearest of them; the path to a CI begins there.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'standard',
  alsoFaults: ['unprocessable', 'not-found'],
  mounts: both(asked, ImpactOfManyBody),
  handle: async ({ ci_ids, as_of: asOf, types, limit }, context) => ({
    ...(await findImpact(context, ci_ids, { asOf, types })),
    limit,
  }),
});
