import { everyRecord } from '#application/records/list-records.ts';
import { namedStore } from '#application/records/named-records.ts';
import { searchDue } from '#application/records/search-due.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { MAX_SERVICES, SERVICE_KINDS, type Service, serviceNameKey } from '#domain/services/service.ts';

export const {
  find: findService,
  add: addService,
  put: putService,
  drop: dropService,
} = namedStore<Service, Pick<Ports, 'records' | 'memory' | 'ids'>>(
  {
    what: 'service',
    kind: SERVICE_KINDS.service,
    nameKind: SERVICE_KINDS.name,
    keyOf: serviceNameKey,
    atMost: MAX_SERVICES,
  },
  (memory, tenant) => memory.services.forget(tenant),
  ({ ids }, tenant, { id }) => [searchDue({ ids }, tenant, [{ kind: 'service', id }])],
);

export const everyService = (records: RecordStore, tenant: string): Promise<Service[]> =>
  everyRecord<Service>(records, tenant, SERVICE_KINDS.service);
