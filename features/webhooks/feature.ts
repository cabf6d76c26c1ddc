import { MINUTE_MS, SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { asyncapiParts } from './http/asyncapi-parts.ts';
import { webhooksEndpoints } from './http/endpoints.ts';
import { measurements } from './measurements.ts';
import { deliveryTasks } from './use-cases/delivery/delivery-tasks.ts';
import { notifyOfOverflows } from './use-cases/delivery/own-deliveries.ts';
import { DELIVERY_KINDS } from './use-cases/delivery/records.ts';
import { hurryResumed } from './use-cases/managing/resume.ts';
import { pushAlerts } from './use-cases/pushing/push-alerts.ts';
import { CHANGED_GROUPS, notifyOfGroups } from './use-cases/sources/groups.ts';
import { CHANGED_LONE, notifyOfLoneEvents } from './use-cases/sources/lone-events.ts';
import { notifyingTopology } from './use-cases/sources/notifying-topology.ts';
import { drainOutgoing } from './use-cases/sources/outgoing-records.ts';
import { notifyOfSilences } from './use-cases/sources/silences.ts';
import { notify, notifyGroups } from './use-cases/sources/sinks.ts';

const { due, overflow, outgoing, resumed } = DELIVERY_KINDS;

export const webhooks = feature({
  id: 'webhooks',
  uses: [],
  endpoints: webhooksEndpoints,
  tasks: [
    { ...deliveryTasks, sources: [drainOutgoing, notifyOfGroups, notifyOfLoneEvents, notifyOfOverflows, hurryResumed] },
  ],
  jobs: [
    {
      name: 'tell-silences',
      everyMs: 5 * SECOND_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: 5 * MINUTE_MS,
      run: ({ ports }, isStopping) => notifyOfSilences(ports, isStopping),
    },
    {
      name: 'push-alerts',
      everyMs: 10 * SECOND_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: 5 * MINUTE_MS,
      run: ({ ports }, isStopping) => pushAlerts(ports, isStopping),
    },
  ],
  sinks: [notify, notifyGroups],
  measurements,
  ownedKinds: [due, overflow, outgoing, resumed, CHANGED_GROUPS, CHANGED_LONE],
  topology: notifyingTopology,
  asyncapi: asyncapiParts,
});
