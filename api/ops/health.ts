import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import type { ProcessHealth } from '#domain/ports/health.ts';
import { Readiness } from '#schemas/http/readiness.ts';

const Alive = z.object({ status: z.literal('alive') });

/** Whether the process answers at all. */
export const livez = endpoint({
  id: 'ops.livez',
  summary: 'Is the process alive?',
  tag: 'Operations',
  permission: null,
  limit: 'none',
  mounts: [
    mount({
      on: 'ops',
      method: 'get',
      path: '/livez',
      reply: Alive,
      read: () => undefined,
      present: () => ({ body: { status: 'alive' } }),
    }),
  ],
  handle: async () => undefined,
});

const statusOf = ({ ready, degraded }: ProcessHealth) =>
  !ready ? 'not ready' : degraded === true ? 'degraded' : 'ready';

const readiness = ({ health, verbose }: { health: ProcessHealth; verbose: boolean }) => ({
  status: health.ready ? 200 : 503,
  body: { status: statusOf(health), ...(verbose && { checks: health.checks }) },
});

/** Whether requests should be sent here; 503 while a dependency is away, the pipeline stalls, or the process stops. */
export const readyz = endpoint({
  id: 'ops.readyz',
  summary: 'Is the service ready?',
  description:
    '`?verbose` shows every dependency. `degraded`: requests are answered, but a processor or Neo4j needs attention.',
  tag: 'Operations',
  permission: null,
  limit: 'none',
  mounts: [
    mount({
      on: 'ops',
      method: 'get',
      path: '/readyz',
      query: z.strictObject({ verbose: z.string().optional() }),
      alsoStatus: [503],
      reply: Readiness,
      read: ({ query }) => query.verbose !== undefined && query.verbose !== 'false',
      present: readiness,
    }),
  ],
  handle: async (verbose: boolean, { service }) => ({ health: await service.health(), verbose }),
});
