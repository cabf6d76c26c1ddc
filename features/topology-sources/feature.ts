import { HOUR_MS, SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { topologySourceEndpoints } from './http/endpoints.ts';
import { SOURCE_RECORDS } from './rules/record-kinds.ts';
import { openClusters } from './stores/kubernetes/open-clusters.ts';
import { deleteEnded } from './use-cases/delete-ended.ts';
import { boundByObjects } from './use-cases/objects/bound-by-objects.ts';
import { runDueSources } from './use-cases/run-due.ts';

export const topologySources = feature({
  id: 'topology-sources',
  uses: ['transfer'],
  endpoints: topologySourceEndpoints,
  jobs: [
    {
      name: 'run-topology-sources',
      everyMs: SECOND_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: 6 * HOUR_MS,
      run: ({ ports }, isStopping) => runDueSources(ports, isStopping),
    },
    {
      name: 'delete-ended-cis',
      everyMs: HOUR_MS,
      runsIn: 'api',
      isLeased: true,
      needsClock: true,
      timeoutMs: 6 * HOUR_MS,
      run: ({ ports, retentionMs }, isStopping) => deleteEnded(ports, ports.clock.now() - retentionMs, isStopping),
    },
  ],
  provide: async ({ ports: { outbound } }) => {
    const clusters = openClusters({ outbound });
    return { ports: { clusters }, close: async () => clusters.close() };
  },
  ownedKinds: [SOURCE_RECORDS.due],
  topology: ({ matcher }, hearing) => ({ matcher: boundByObjects(matcher, hearing) }),
});
