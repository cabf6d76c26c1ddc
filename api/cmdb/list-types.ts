import { both } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import type { TypesInUse } from '#domain/ports/topology/topology-counts.ts';
import { KNOWN_RELATIONSHIPS } from '#domain/topology/topology.ts';
import { ciTypeWarning, KNOWN_CI_TYPES, relationshipTypeWarning } from '#domain/topology/vocabulary.ts';
import { TypesBody, typeBodies } from '#schemas/http/cmdb/types.ts';

const listed = {
  method: 'get',
  path: '/cmdb/types',
  read: () => undefined,
  present: ({ cis, relationships }: TypesInUse) => ({
    body: {
      ci_types: typeBodies(cis, KNOWN_CI_TYPES, ciTypeWarning),
      relationship_types: typeBodies(relationships, KNOWN_RELATIONSHIPS, relationshipTypeWarning),
    },
  }),
} as const;

export const listTypes = endpoint<undefined, TypesInUse>({
  id: 'cmdb.list-types',
  summary:
    'List the types of configuration items and relationships: those in use with their counts, and the usual ones',
  description: 'Any type is taken. A warning says that one is probably a slip of the pen.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'standard',
  mounts: both(listed, TypesBody),
  handle: (_, { tenant, ports }) => ports.counts.types(tenant),
});
