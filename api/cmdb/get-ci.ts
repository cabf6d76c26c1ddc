import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { asOfField, findCi, requireKept, requirePast } from '#application/cmdb/as-of.ts';
import { CiDetail, V1CiDetail } from '#schemas/http/cmdb/cmdb.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { type Detail, detailOf, presentDetail, presentV1Detail } from './ci-detail.ts';

interface Input {
  readonly id: string;
  readonly asOf: number | undefined;
}
const got = {
  method: 'get',
  path: '/cmdb/ci/{id}',
  params: z.object({ id: z.string() }),
  query: z.strictObject({ as_of: asOfField }),
  replyHeaders: ['ETag'],
  read: ({ params, query }: { params: { id: string }; query: { as_of?: number | undefined } }): Input => ({
    id: params.id,
    asOf: query.as_of,
  }),
} as const;

export const getCi = endpoint<Input, Detail>({
  id: 'cmdb.get-ci',
  summary: 'Get a configuration item with its relationships in both directions',
  description: 'With as_of as it was then; before its creation and after its removal it was not there.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'standard',
  alsoFaults: ['unprocessable'],
  mounts: [
    mount({ on: 'v1', ...got, reply: V1CiDetail, present: presentV1Detail }),
    mount({ on: 'platform', ...got, reply: wrapped(CiDetail), present: presentDetail }),
  ],
  async handle({ id, asOf }, context) {
    requirePast(asOf, context);
    const ci = await findCi(context, id, asOf);
    requireKept(asOf, context);
    return detailOf(context, ci, asOf);
  },
});
