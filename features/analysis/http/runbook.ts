import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { runbookOfGroup } from '#features/analysis/use-cases/runbook-of-group.ts';
import { succeeded } from '#schemas/http/envelope.ts';

const params = z.object({ correlationId: z.string() });

/** The runbook in effect now, which may be newer than the analysis of the group. */
export const groupRunbook = endpoint<z.output<typeof params>, string | null>({
  id: 'events.group-runbook',
  summary: 'Get the runbook of a group',
  description:
    'Runbook of the CI of the root cause (custom_fields.runbook), otherwise the first match in the AI settings. Accepts IDs from before a merge.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '/groups/{correlationId}/runbook',
      params,
      reply: succeeded({
        runbook: z.string().nullable().meta({ description: 'Address or short instruction, with its text' }),
      }),
      read: ({ params }) => params,
      present: (runbook) => ({ body: { runbook } }),
    }),
  ],
  handle: ({ correlationId }, { ports, tenant }) => runbookOfGroup(ports, tenant, correlationId),
});
