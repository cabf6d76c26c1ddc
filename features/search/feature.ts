import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#application/job.ts';
import { SEARCH_DUE_KIND } from '#application/records/search-due.ts';
import { feature } from '#features/feature.ts';
import { searchSemantic } from './http/search.ts';
import { FILLED, fillIndex } from './use-cases/fill-index.ts';
import { indexDue } from './use-cases/index-due.ts';
import { embedDue } from './use-cases/meaning/embed-due.ts';
import { searchedCis } from './use-cases/searched-topology.ts';
import { search as searchEvents, searchGroups } from './use-cases/sinks.ts';

export const search = feature({
  id: 'search',
  uses: ['ai', 'reports', 'insights', 'discovery'],
  endpoints: [searchSemantic],
  jobs: [
    {
      name: 'index-search',
      everyMs: 2 * SECOND_MS,
      runsIn: 'api',
      timeoutMs: HOUR_MS,
      run: ({ ports }, isStopping) => indexDue(ports, isStopping),
    },
    {
      name: 'fill-search',
      everyMs: MINUTE_MS,
      runsIn: 'api',
      isLeased: true,
      atStart: true,
      timeoutMs: HOUR_MS,
      run: ({ ports }, isStopping) => fillIndex(ports, ports.memory.of(FILLED), isStopping),
    },
    {
      name: 'embed-search',
      everyMs: 30 * SECOND_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: HOUR_MS,
      run: ({ ports }, isStopping) => embedDue(ports, isStopping),
    },
  ],
  sinks: [searchEvents, searchGroups],
  ownedKinds: [SEARCH_DUE_KIND],
  topology: ({ cis }, hearing) => ({ cis: searchedCis(cis, hearing) }),
});
