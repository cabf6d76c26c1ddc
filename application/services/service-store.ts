import { everyRecord } from '#application/records/list-records.ts';
import {
  addNamed,
  dropNamed,
  findNamed,
  type NamedKind,
  putNamed,
  type Replacement,
} from '#application/records/named-records.ts';
import { searchDue } from '#application/records/search-due.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import { MAX_SERVICES, SERVICE_KINDS, type Service, serviceNameKey } from '#domain/services/service.ts';
import type { SideRecord } from '#domain/side-record.ts';

const SERVICES: NamedKind = {
  what: 'service',
  kind: SERVICE_KINDS.service,
  nameKind: SERVICE_KINDS.name,
  keyOf: serviceNameKey,
  atMost: MAX_SERVICES,
};
type ServicePorts = Pick<Ports, 'records' | 'memory' | 'ids'>;

const due = ({ ids }: Pick<Ports, 'ids'>, tenant: string, { id }: Service): SideRecord =>
  searchDue({ ids }, tenant, [{ kind: 'service', id }]);

export const everyService = (records: RecordStore, tenant: string): Promise<Service[]> =>
  everyRecord<Service>(records, tenant, SERVICE_KINDS.service);

export const findService = (records: RecordStore, tenant: string, id: string): Promise<StoredRecord<Service>> =>
  findNamed<Service>(records, tenant, SERVICES, id);

/** Throws Fault `conflict` when the name is in use or there are too many services. */
export const addService = async (
  { records, memory, ids }: ServicePorts,
  tenant: string,
  service: Service,
  sideRecords: readonly SideRecord[],
): Promise<number> => {
  const told = [...sideRecords, due({ ids }, tenant, service)];
  const revision = await addNamed(records, tenant, SERVICES, service, told);
  memory.services.forget(tenant);
  return revision;
};

/** Throws Fault `conflict` when a new name is in use, `precondition` when the service changed meanwhile. */
export const putService = async (
  { records, memory, ids }: ServicePorts,
  tenant: string,
  replacement: Replacement<Service>,
): Promise<number> => {
  const sideRecords = [...replacement.sideRecords, due({ ids }, tenant, replacement.after)];
  const revision = await putNamed(records, tenant, SERVICES, { ...replacement, sideRecords });
  memory.services.forget(tenant);
  return revision;
};

export const dropService = async (
  { records, memory, ids }: ServicePorts,
  tenant: string,
  service: Service,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  await dropNamed(records, tenant, SERVICES, service, [...sideRecords, due({ ids }, tenant, service)]);
  memory.services.forget(tenant);
};
