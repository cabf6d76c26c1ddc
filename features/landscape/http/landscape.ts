import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { type Landscape, LandscapeBody, LandscapeQuery, landscapeBody } from '#features/landscape/schemas/landscape.ts';
import { type LandscapeAsked, readLandscape } from '#features/landscape/use-cases/landscape.ts';
import { type CiQuery, ciFilterOf } from '#schemas/http/cmdb/ci-filter.ts';
import { wrapped } from '#schemas/http/envelope.ts';

interface Input extends Pick<LandscapeAsked, 'by'> {
  readonly query: CiQuery;
  readonly without: readonly { readonly bag: 'attributes' | 'customFields'; readonly name: string }[] | undefined;
}

export const getLandscape = endpoint<Input, Landscape>({
  id: 'cmdb.landscape',
  summary: 'Get all configuration items as boxes within boxes',
  description:
    'Boxes have the number of CIs and the highest unresolved severity. A filter that selects up to 150 CIs returns them with their relationships instead.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'query',
  mounts: on.platform.get('/cmdb/landscape', {
    query: LandscapeQuery,
    reply: wrapped(LandscapeBody),
    read: ({ query: { by, without, ...query } }) => ({ by, without, query }),
    present: (found) => ({ body: landscapeBody(found) }),
  }),
  handle({ by, without, query }, context) {
    const filter = { ...ciFilterOf(query, context.receivedAt), ...(without && { without }) };
    return readLandscape(context, { by, filter: Object.keys(filter).length === 0 ? null : filter });
  },
});
