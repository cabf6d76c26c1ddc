import type { z } from 'zod';
import type { ListReply } from '#console/api/cmdb/cmdb.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call } from '#console/api/link/call.ts';
import type { Dependencies, ServiceBody } from '#features/services/schemas/services.ts';

export type ServiceData = z.output<typeof ServiceBody>;
export type ServiceDependencies = z.output<typeof Dependencies>['dependencies'];

export const listServices = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<ListReply<ServiceData>> =>
  call('GET /api/services', { query, signal });

export const readService = async (call: Call, id: string, signal?: AbortSignal): Promise<ServiceData> =>
  (await call<{ readonly data: ServiceData }>('GET /api/services/{id}', { params: { id }, signal })).data;

export const readDependencies = async (call: Call, id: string, signal?: AbortSignal): Promise<ServiceDependencies> => {
  const asked = { params: { id }, signal };
  return (await call<{ readonly data: z.output<typeof Dependencies> }>('GET /api/services/{id}/dependencies', asked))
    .data.dependencies;
};
