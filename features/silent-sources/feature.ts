import { MINUTE_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { listSilentSources } from './http/silent-sources.ts';
import { watchSources } from './use-cases/watch-sources.ts';

export const silentSources = feature({
  id: 'silent-sources',
  uses: [],
  endpoints: [listSilentSources],
  jobs: [
    {
      name: 'watch-sources',
      everyMs: MINUTE_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: 10 * MINUTE_MS,
      run: ({ ports, startedAt }, isStopping) =>
        watchSources(ports, { now: ports.clock.now(), listeningSince: startedAt, isStopping }),
    },
  ],
});
