import { SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { discoveryEndpoints } from './http/endpoints.ts';
import { startBackground } from './use-cases/background.ts';
import { REBINDER } from './use-cases/rebinder.ts';
import { DISCOVER, DISCOVERY_KINDS } from './use-cases/records.ts';
import { watchedTopology } from './use-cases/watched-topology.ts';

export const discovery = feature({
  id: 'discovery',
  uses: [],
  endpoints: discoveryEndpoints,
  background: [
    {
      name: DISCOVER,
      everyMs: 5 * SECOND_MS,
      bindsEvents: true,
      failure: 'Discovery is stuck and tries again',
      open: startBackground,
    },
  ],
  ownedRecords: { kinds: [DISCOVERY_KINDS.queue, DISCOVERY_KINDS.joined], leases: [DISCOVERY_KINDS.lease] },
  topology: (ports, hearing) => watchedTopology(ports, hearing.memory.of(REBINDER), hearing),
  unbound: ({ memory }, tenant) => memory.of(REBINDER).noteAll(tenant),
});
