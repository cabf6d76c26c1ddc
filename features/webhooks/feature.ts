import { SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { asyncapiParts } from './http/asyncapi-parts.ts';
import { webhooksEndpoints } from './http/endpoints.ts';
import { measurements } from './measurements.ts';
import { Deliverer } from './use-cases/delivery/deliverer.ts';
import { tellOverflows } from './use-cases/delivery/own-deliveries.ts';
import { DELIVER, DELIVERY_KINDS } from './use-cases/delivery/records.ts';
import { hurryResumed } from './use-cases/managing/resume.ts';
import { CHANGED_GROUPS, tellGroups } from './use-cases/sources/groups.ts';
import { CHANGED_LONE, tellLone } from './use-cases/sources/lone-events.ts';
import { drainOutgoing } from './use-cases/sources/outgoing-records.ts';
import { notify, notifyGroups } from './use-cases/sources/sinks.ts';
import { toldTopology } from './use-cases/sources/told-topology.ts';

const { due, overflow, outgoing, resumed } = DELIVERY_KINDS;

export const webhooks = feature({
  id: 'webhooks',
  uses: [],
  endpoints: webhooksEndpoints,
  background: [
    {
      name: DELIVER,
      everyMs: SECOND_MS,
      failure: 'Deliveries to webhooks are stuck and are tried again',
      open: (ports, options) =>
        new Deliverer(ports, {
          ...options,
          sources: [drainOutgoing, tellGroups, tellLone, tellOverflows, hurryResumed],
        }),
    },
  ],
  sinks: [notify, notifyGroups],
  measurements,
  ownedRecords: { kinds: [due, overflow, outgoing, resumed, CHANGED_GROUPS, CHANGED_LONE], leases: [] },
  topology: toldTopology,
  asyncapi: asyncapiParts,
});
