import { z } from 'zod';
import { onBoth } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { asOfField } from '#application/cmdb/as-of.ts';
import { firstItem } from '#domain/assert.ts';
import { ImpactBody, impactBody } from '#schemas/http/cmdb/hops.ts';
import { commaWords, wholeNumber } from '#schemas/http/common.ts';
import { DEFAULT_SHOWN, FOLLOWED, type FoundImpact, findImpact, type ImpactAsked, MAX_IMPACT } from './find-impact.ts';

const followedField = commaWords(FOLLOWED).optional();
const Query = z.strictObject({
  limit: wholeNumber(1, MAX_IMPACT).default(DEFAULT_SHOWN),
  types: followedField,
  as_of: asOfField,
});
interface ImpactRequest extends ImpactAsked {
  readonly id: string;
  readonly limit: number;
}
interface ImpactResult extends FoundImpact {
  readonly limit: number;
}

export const getImpact = endpoint<ImpactRequest, ImpactResult>({
  id: 'cmdb.get-impact',
  summary: 'Get the impact of a configuration item',
  description:
    'Follows dependencies, power and location downstream. CIs with enough redundant paths are `protected` and stop propagation. Uses current services.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  alsoFaults: ['unprocessable'],
  mounts: onBoth.get('/cmdb/ci/{id}/impact', ImpactBody, {
    params: z.object({ id: z.string() }),
    query: Query,
    read: ({ params, query }): ImpactRequest => ({
      id: params.id,
      limit: query.limit,
      types: query.types ?? [],
      asOf: query.as_of,
    }),
    present: ({ cis, impact, services, limit }: ImpactResult) => ({
      body: impactBody(firstItem(cis), impact, services, limit),
    }),
  }),
  handle: async ({ id, limit, ...asked }, context) => ({ ...(await findImpact(context, [id], asked)), limit }),
});
