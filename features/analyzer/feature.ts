import { SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { analyzerEndpoints } from './http/endpoints.ts';
import { estatesIn } from './stores/connect-estate.ts';
import { openServiceSearches } from './stores/open-service-searches.ts';
import { Analyses } from './use-cases/infrastructure/background.ts';
import { ANALYSE, ANALYSIS_KINDS } from './use-cases/infrastructure/records.ts';

export const analyzer = feature({
  id: 'analyzer',
  uses: ['ai', 'services', 'discovery', 'search'],
  endpoints: analyzerEndpoints,
  background: [
    {
      name: ANALYSE,
      everyMs: 5 * SECOND_MS,
      atStart: true,
      failure: 'An infrastructure analysis has failed',
      open: (ports, options) => new Analyses(ports, options),
    },
  ],
  ownedRecords: { kinds: [ANALYSIS_KINDS.queue], leases: [ANALYSIS_KINDS.lease] },
  provide: async ({ ports: { estate, records, clock }, databasePath }) => ({
    ports: { serviceSearches: openServiceSearches({ estate, records, connect: estatesIn(databasePath, clock) }) },
  }),
});
