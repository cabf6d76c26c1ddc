import type { z } from 'zod';
import type { ListReply } from '#console/api/cmdb/cmdb.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call } from '#console/api/link/call.ts';
import type {
  Dependencies,
  HealthHistory,
  HealthTrend,
  NewService,
  ServiceBody,
  ServicePatch,
} from '#features/services/schemas/services.ts';

export type ServiceData = z.output<typeof ServiceBody>;
export type ServiceDependencies = z.output<typeof Dependencies>['dependencies'];

export const listServices = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<ListReply<ServiceData>> =>
  call('GET /api/services', { query, signal });

export const readService = async (call: Call, id: string, signal?: AbortSignal): Promise<ServiceData> =>
  (await call<{ readonly data: ServiceData }>('GET /api/services/{id}', { params: { id }, signal })).data;

export const readWholeService = async (call: Call, id: string) => {
  const { body, etag } = await call.whole<{ readonly data: ServiceData }>('GET /api/services/{id}', { params: { id } });
  return { service: body.data, etag };
};

export type ServiceHealthHistory = z.output<typeof HealthHistory>;
export const readHealthHistory = async (call: Call, id: string, signal?: AbortSignal): Promise<ServiceHealthHistory> =>
  (await call<{ readonly data: ServiceHealthHistory }>('GET /api/services/{id}/health', { params: { id }, signal }))
    .data;

export type ServiceTrendData = z.output<typeof HealthTrend>;
export const readTrends = async (
  call: Call,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<readonly ServiceTrendData[]> =>
  (await call<{ readonly data: readonly ServiceTrendData[] }>('GET /api/services/health', { query: { ids }, signal }))
    .data;

export const makeService = async (call: Call, body: z.input<typeof NewService>): Promise<ServiceData> =>
  (await call<{ readonly data: ServiceData }>('POST /api/services', { body })).data;

export const changeService = async (
  call: Call,
  id: string,
  body: z.input<typeof ServicePatch>,
  etag: string | null,
): Promise<ServiceData> =>
  (await call<{ readonly data: ServiceData }>('PUT /api/services/{id}', { params: { id }, body, etag })).data;

export const deleteService = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/services/{id}', { params: { id } });

export const readDependencies = async (call: Call, id: string, signal?: AbortSignal): Promise<ServiceDependencies> => {
  const asked = { params: { id }, signal };
  return (await call<{ readonly data: z.output<typeof Dependencies> }>('GET /api/services/{id}/dependencies', asked))
    .data.dependencies;
};
