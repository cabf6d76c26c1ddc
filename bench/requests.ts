/** Finished requests of a storm. */
import { bytesOf } from './load.ts';
import type { Storm } from './storm.ts';

export const PER_BULK = 500;
const FRESH_SHARE = 0.1;

export const bulkOf = (storm: Storm, tenant = storm.tenant(), freshShare = FRESH_SHARE): Buffer => {
  const events = Array.from({ length: PER_BULK }, () => storm.some(tenant, freshShare));
  const body = JSON.stringify({ events });
  return bytesOf({ method: 'POST', path: '/api/events/bulk-ingest', tenant: storm.tenants[tenant]!.id, body });
};

export const bulks = (storm: Storm, count: number): Buffer[] => Array.from({ length: count }, () => bulkOf(storm));

export const singleOf = (storm: Storm, freshShare = FRESH_SHARE): Buffer => {
  const tenant = storm.tenant();
  const body = JSON.stringify(storm.some(tenant, freshShare));
  return bytesOf({ method: 'POST', path: '/api/events/ingest', tenant: storm.tenants[tenant]!.id, body });
};

export const singles = (storm: Storm, count: number): Buffer[] => Array.from({ length: count }, () => singleOf(storm));

/** Lists as a console asks for them. */
export const lists = (storm: Storm, count: number): Buffer[] => {
  const queries = ['limit=50', 'limit=50&status=open', 'limit=50&severity=critical', 'limit=50&page=3'];
  return Array.from({ length: count }, (_, n) =>
    bytesOf({
      method: 'GET',
      path: `/api/events?${queries[n % queries.length]}`,
      tenant: storm.tenants[storm.tenant()]!.id,
    }),
  );
};
