import { everyRecord } from '#application/records/list-records.ts';
import { reserveName } from '#application/records/unique-name.ts';
import { Fault, notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import { MAX_SERVICES, SERVICE_KINDS, type Service, serviceNameKey } from '#domain/services/service.ts';
import type { SideRecord } from '#domain/side-record.ts';

const taken = (name: string) => () =>
  new Fault('conflict', `A service is called ${name} already`, [{ field: 'name', reason: 'is taken' }]);

const reserve = (records: RecordStore, tenant: string, { id, name, updatedAt }: Service): Promise<void> =>
  reserveName(records, tenant, {
    nameKind: SERVICE_KINDS.name,
    key: serviceNameKey(name),
    kind: SERVICE_KINDS.service,
    id,
    at: updatedAt,
    taken: taken(name),
  });

export const everyService = (records: RecordStore, tenant: string): Promise<Service[]> =>
  everyRecord<Service>(records, tenant, SERVICE_KINDS.service);

export const findService = async (records: RecordStore, tenant: string, id: string): Promise<StoredRecord<Service>> => {
  const stored = await records.get<Service>(tenant, SERVICE_KINDS.service, id);
  if (stored === null) throw notFound('Service', id);
  return stored;
};

/** Throws Fault `conflict` when the name is taken or there are too many services. */
export const addService = async (
  { records, memory }: Pick<Ports, 'records' | 'memory'>,
  tenant: string,
  service: Service,
  sideRecords: readonly SideRecord[],
): Promise<number> => {
  if ((await everyService(records, tenant)).length >= MAX_SERVICES)
    throw new Fault('conflict', `A tenant has at most ${MAX_SERVICES} services`);
  await reserve(records, tenant, service);
  const revision = await records.put(tenant, SERVICE_KINDS.service, service.id, service, { expected: 0, sideRecords });
  memory.services.forget(tenant);
  return revision;
};

/** Gives up a name that was reserved for a change that was not made. */
const releaseName = async (records: RecordStore, tenant: string, { id, name }: Service): Promise<void> => {
  const stored = await records.get<Service>(tenant, SERVICE_KINDS.service, id);
  if (stored !== null && serviceNameKey(stored.body.name) !== serviceNameKey(name))
    await records.remove(tenant, SERVICE_KINDS.name, serviceNameKey(name));
};

interface ServicePut {
  readonly before: Service;
  readonly after: Service;
  readonly expected: number;
  readonly sideRecords: readonly SideRecord[];
}

/** Throws Fault `conflict` when a new name is taken, `precondition` when the service changed meanwhile. */
export const putService = async (
  { records, memory }: Pick<Ports, 'records' | 'memory'>,
  tenant: string,
  { before, after, expected, sideRecords }: ServicePut,
): Promise<number> => {
  const [oldName, newName] = [serviceNameKey(before.name), serviceNameKey(after.name)];
  if (oldName !== newName) await reserve(records, tenant, after);
  const revision = await records
    .put(tenant, SERVICE_KINDS.service, after.id, after, { expected, sideRecords })
    .catch(async (error) => {
      await releaseName(records, tenant, after);
      throw error;
    });
  if (oldName !== newName) await records.remove(tenant, SERVICE_KINDS.name, oldName);
  memory.services.forget(tenant);
  return revision;
};

export const dropService = async (
  { records, memory }: Pick<Ports, 'records' | 'memory'>,
  tenant: string,
  service: Service,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  await records.remove(tenant, SERVICE_KINDS.service, service.id, sideRecords);
  await records.remove(tenant, SERVICE_KINDS.name, serviceNameKey(service.name));
  memory.services.forget(tenant);
};
