import { z } from 'zod';
import { both } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { asOfField } from '#application/cmdb/as-of.ts';
import { firstItem } from '#domain/known.ts';
import { ImpactBody, impactBody } from '#schemas/http/cmdb/hops.ts';
import { commaWords, wholeNumber } from '#schemas/http/common.ts';
import { DEFAULT_SHOWN, FOLLOWED, type FoundImpact, findImpact, type ImpactAsked, MAX_IMPACT } from './find-impact.ts';

const followedField = commaWords(FOLLOWED).optional();
const Query = z.strictObject({
  limit: wholeNumber(1, MAX_IMPACT).default(DEFAULT_SHOWN),
  types: followedField,
  as_of: asOfField,
});
interface Input extends ImpactAsked {
  readonly id: string;
  readonly limit: number;
}
interface Found extends FoundImpact {
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
    types: query.types ?? [],
    asOf: query.as_of,
  }),
  present: ({ cis, impact, services, limit }: Found) => ({ body: impactBody(firstItem(cis), impact, services, limit) }),
} as const;

export const getImpact = endpoint<Input, Found>({
  id: 'cmdb.get-impact',
  summary: 'What fails when a configuration item fails',
  description:
    'Downstream over dependencies, power and place; CIs of which enough redundant paths are left are protected and stop it. Services are those of today.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'standard',
  alsoFaults: ['unprocessable'],
  mounts: both(got, ImpactBody),
  handle: async ({ id, limit, ...asked }, context) => ({ ...(await findImpact(context, [id], asked)), limit }),
});
