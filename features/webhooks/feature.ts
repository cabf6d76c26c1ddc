import { feature } from '#features/feature.ts';
import { asyncapiParts } from './http/asyncapi-parts.ts';
import { webhooksEndpoints } from './http/endpoints.ts';
import { measurements } from './measurements.ts';
import { deliveryTasks } from './use-cases/delivery/delivery-tasks.ts';
import { notifyOfOverflows } from './use-cases/delivery/own-deliveries.ts';
import { DELIVERY_KINDS } from './use-cases/delivery/records.ts';
import { hurryResumed } from './use-cases/managing/resume.ts';
import { CHANGED_GROUPS, notifyOfGroups } from './use-cases/sources/groups.ts';
import { CHANGED_LONE, notifyOfLoneEvents } from './use-cases/sources/lone-events.ts';
import { notifyingTopology } from './use-cases/sources/notifying-topology.ts';
import { drainOutgoing } from './use-cases/sources/outgoing-records.ts';
import { notify, notifyGroups } from './use-cases/sources/sinks.ts';

const { due, overflow, outgoing, resumed } = DELIVERY_KINDS;

export const webhooks = feature({
  id: 'webhooks',
  uses: [],
  endpoints: webhooksEndpoints,
  tasks: [
    { ...deliveryTasks, sources: [drainOutgoing, notifyOfGroups, notifyOfLoneEvents, notifyOfOverflows, hurryResumed] },
  ],
  sinks: [notify, notifyGroups],
  measurements,
  ownedKinds: [due, overflow, outgoing, resumed, CHANGED_GROUPS, CHANGED_LONE],
  topology: notifyingTopology,
  asyncapi: asyncapiParts,
});
