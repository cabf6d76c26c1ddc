import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { asOfField, assertRetained, findCi, requirePast } from '#application/cmdb/as-of.ts';
import { CiDetail, V1CiDetail } from '#schemas/http/cmdb/cmdb.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { type CiDetails, detailOf, presentDetail, presentV1Detail } from './ci-detail.ts';

interface GetCiRequest {
  readonly id: string;
  readonly asOf: number | undefined;
}
const got = {
  method: 'get',
  path: '/cmdb/ci/{id}',
  params: z.object({ id: z.string() }),
  query: z.strictObject({ as_of: asOfField }),
  replyHeaders: ['ETag'],
  read: ({ params, query }: { params: { id: string }; query: { as_of?: number | undefined } }): GetCiRequest => ({
    id: params.id,
    asOf: query.as_of,
  }),
} as const;

export const getCi = endpoint<GetCiRequest, CiDetails>({
  id: 'cmdb.get-ci',
  summary: 'Get a configuration item with its relationships',
  description: 'Use as_of for a past state; returns 404 before creation and after deletion.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  alsoFaults: ['unprocessable'],
  mounts: [
    mount({ on: 'v1', ...got, reply: V1CiDetail, present: presentV1Detail }),
    mount({ on: 'platform', ...got, reply: wrapped(CiDetail), present: presentDetail }),
  ],
  async handle({ id, asOf }, context) {
    requirePast(asOf, context);
    const ci = await findCi(context, id, asOf);
    assertRetained(asOf, context);
    return detailOf(context, ci, asOf);
  },
});
