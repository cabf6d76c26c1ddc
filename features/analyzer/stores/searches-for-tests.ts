import type { Ports } from '#domain/ports/ports.ts';
import { openServiceSearches } from './open-service-searches.ts';

/** Searches for services in the topology of a test. */
export const bringSearches = ({ estate, records }: Ports): Pick<Ports, 'serviceSearches'> => ({
  serviceSearches: openServiceSearches({ estate, records, connect: null }),
});
