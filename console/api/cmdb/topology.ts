import type { z } from 'zod';
import type { TopologyChangeBody } from '#schemas/http/cmdb/changes.ts';
import type { ImpactOfManyBody, NeighbourhoodBody, PathBody } from '#schemas/http/cmdb/hops.ts';
import type { AddressQuery } from '../link/address.ts';
import type { Call } from '../link/call.ts';
import type { ListReply } from './cmdb.ts';

export type NeighbourhoodData = z.output<typeof NeighbourhoodBody>;
export type ImpactData = z.output<typeof ImpactOfManyBody>;
export type Way = z.output<typeof PathBody>;
export type TopologyChangeData = z.output<typeof TopologyChangeBody>;

interface Wrapped<T> {
  readonly data: T;
}

export const readNeighbourhood = async (call: Call, id: string, query: AddressQuery, signal?: AbortSignal) =>
  (await call<Wrapped<NeighbourhoodData>>('GET /api/cmdb/ci/{id}/neighbourhood', { params: { id }, query, signal }))
    .data;

interface ImpactAsked {
  readonly ci_ids: readonly string[];
  readonly as_of?: string;
  readonly types?: readonly string[];
  readonly limit?: number;
}
export const readImpact = async (call: Call, body: ImpactAsked, signal?: AbortSignal): Promise<ImpactData> =>
  (await call<Wrapped<ImpactData>>('POST /api/cmdb/impact', { body, signal })).data;

export const readWay = async (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<Way> =>
  (await call<Wrapped<Way>>('GET /api/cmdb/path', { query, signal })).data;

export const listChanges = (
  call: Call,
  query: AddressQuery,
  signal?: AbortSignal,
): Promise<ListReply<TopologyChangeData>> => call('GET /api/cmdb/changes', { query, signal });
