import { endpoint, on } from '#api/surfaces/endpoint.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { listedHeartbeats, noteBeat } from '#application/events/heartbeats.ts';
import { correlationSettings } from '#application/records/tenant-settings.ts';
import { notFound } from '#domain/fault.ts';
import { Accepted, HeartbeatPath } from '#features/opsgenie/schemas/opsgenie.ts';
import { taking, tookSince } from './alert-endpoints.ts';

/** Throws Fault `not-found` for a name that the tenant does not list. */
const beat = async ({ ports, tenant, receivedAt }: UseCaseContext, said: string): Promise<void> => {
  const id = said.toLowerCase();
  const name = listedHeartbeats((await correlationSettings(ports.records, tenant)).heartbeats).get(id);
  if (name === undefined) throw notFound('Heartbeat', `${said}, which the correlation setting heartbeats must list,`);
  await noteBeat(ports.records, { tenant, receivedAt }, id, name);
};

const pinging = (method: 'get' | 'post') =>
  endpoint<string, void>({
    ...taking,
    id: `opsgenie.heartbeats.ping${method === 'get' ? '-by-get' : ''}`,
    summary: 'Record a heartbeat (Opsgenie)',
    description: 'Heartbeats are listed in the correlation setting heartbeats, and missing after 15 minutes.',
    mounts: on.opsgenie[method]('/heartbeats/{name}/ping', {
      params: HeartbeatPath,
      status: 202,
      reply: Accepted,
      read: ({ params }) => params.name,
      present: (_, context) => ({
        body: { result: 'PONG - Heartbeat received', took: tookSince(context), requestId: context.requestId },
      }),
    }),
    handle: (name, context) => beat(context, name),
  });

export const heartbeatEndpoints = [pinging('get'), pinging('post')];
