import { feature } from '#features/feature.ts';
import { analyzerEndpoints } from './http/endpoints.ts';
import { infrastructureIn } from './stores/connect-infrastructure.ts';
import { openServiceSearches } from './stores/open-service-searches.ts';
import { analysisTasks } from './use-cases/infrastructure/analysis-tasks.ts';

export const analyzer = feature({
  id: 'analyzer',
  uses: ['ai', 'services', 'discovery', 'search'],
  endpoints: analyzerEndpoints,
  tasks: [analysisTasks],
  provide: async ({ ports: { estate, records, clock }, databasePath }) => ({
    ports: {
      serviceSearches: openServiceSearches({ estate, records, connect: infrastructureIn(databasePath, clock) }),
    },
  }),
});
