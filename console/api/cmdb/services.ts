import type { z } from 'zod';
import type { Dependencies, ServiceBody } from '#features/services/schemas/services.ts';
import type { AddressQuery } from '../link/address.ts';
import type { Call } from '../link/call.ts';
import type { Listed } from './cmdb.ts';

export type ServiceShown = z.output<typeof ServiceBody>;
export type ServiceDependencies = z.output<typeof Dependencies>['dependencies'];

export const listServices = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<Listed<ServiceShown>> =>
  call('GET /api/services', { query, signal });

export const readService = async (call: Call, id: string, signal?: AbortSignal): Promise<ServiceShown> =>
  (await call<{ readonly data: ServiceShown }>('GET /api/services/{id}', { params: { id }, signal })).data;

export const readDependencies = async (call: Call, id: string, signal?: AbortSignal): Promise<ServiceDependencies> => {
  const asked = { params: { id }, signal };
  return (await call<{ readonly data: z.output<typeof Dependencies> }>('GET /api/services/{id}/dependencies', asked))
    .data.dependencies;
};
