import type { z } from 'zod';
import { both } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { CiIds, CiStates, ciStates } from '#schemas/http/cmdb/states.ts';

type Asked = z.output<typeof CiIds>;
type States = z.output<typeof CiStates>;

const asked = {
  method: 'post',
  path: '/cmdb/ci/states',
  body: CiIds,
  read: ({ body }: { body: Asked }) => body,
  present: (states: States) => ({ body: states }),
} as const;

export const showCiStates = endpoint<Asked, States>({
  id: 'cmdb.ci-states',
  summary: 'Worst open event and number of open events of up to 1,000 configuration items',
  description: 'What colours a map, in one request. A CI without open events, and one that there is not, has none.',
  tag: 'CMDB',
  permission: 'events.read',
  limit: 'query',
  mounts: both(asked, CiStates),
  async handle({ ids }, { tenant, ports: { eventCounts } }) {
    const [all, acknowledged] = await Promise.all([
      eventCounts.openOn(tenant, ids),
      eventCounts.openOn(tenant, ids, ['acknowledged']),
    ]);
    return ciStates(ids, all, acknowledged);
  },
});
