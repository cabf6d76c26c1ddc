import { feature } from '#features/feature.ts';
import { discoveryEndpoints } from './http/endpoints.ts';
import { discoveryTasks } from './use-cases/discovery-tasks.ts';
import { REBINDER } from './use-cases/rebinder.ts';
import { DISCOVERY_KINDS } from './use-cases/records.ts';
import { watchedTopology } from './use-cases/watched-topology.ts';

export const discovery = feature({
  id: 'discovery',
  uses: [],
  endpoints: discoveryEndpoints,
  tasks: [discoveryTasks],
  ownedKinds: [DISCOVERY_KINDS.joined],
  topology: (ports, hearing) => watchedTopology(ports, hearing.memory.of(REBINDER), hearing),
  unbound: ({ memory }, tenant) => memory.of(REBINDER).noteAll(tenant),
});
