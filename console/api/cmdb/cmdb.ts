import type { z } from 'zod';
import type { FoundByIp } from '#schemas/http/cmdb/address.ts';
import type { BulkCis, BulkReport } from '#schemas/http/cmdb/bulk.ts';
import type { CiChangeBody } from '#schemas/http/cmdb/ci-history.ts';
import type { CiDetail, CiListed } from '#schemas/http/cmdb/cmdb.ts';
import type { RelationshipBody } from '#schemas/http/cmdb/relationships.ts';
import type { CiStates } from '#schemas/http/cmdb/states.ts';
import type { TypesBody } from '#schemas/http/cmdb/types.ts';
import type { EventBody } from '#schemas/http/events/event-view.ts';
import type { pagination } from '#schemas/http/paging.ts';
import type { AddressQuery } from '../link/address.ts';
import type { Call } from '../link/call.ts';

export type CiRow = z.output<typeof CiListed>;
export type CiFacts = z.output<typeof CiDetail>;
export type CiPast = z.output<typeof CiChangeBody>;
type CiEvent = z.output<typeof EventBody>;
export type States = z.output<typeof CiStates>;
export type Types = z.output<typeof TypesBody>;
type Relationship = z.output<typeof RelationshipBody>;

/** A list of the platform dialect. */
export interface ListReply<T> {
  readonly data: readonly T[];
  readonly pagination: z.output<typeof pagination>;
}
interface Wrapped<T> {
  readonly data: T;
}

/** Editable fields of a CI; in a patch `null` removes. */
export interface CiInput {
  readonly name?: string;
  readonly type?: string;
  readonly status?: CiRow['status'];
  readonly description?: string | null;
  readonly external_key?: string | null;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly custom_fields?: Readonly<Record<string, unknown>>;
}

export const listCis = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<ListReply<CiRow>> =>
  call('GET /api/cmdb/ci', { query, signal });

export const findByAddress = async (
  call: Call,
  ip: string,
  signal?: AbortSignal,
): Promise<z.output<typeof FoundByIp>['ci']> =>
  (await call<Wrapped<z.output<typeof FoundByIp>>>('GET /api/ci/find-by-ip/{ip}', { params: { ip }, signal })).data.ci;

/** Returns the CI with the version that a change is based on. */
export const readCi = async (call: Call, id: string, signal?: AbortSignal) => {
  const { body, etag } = await call.whole<Wrapped<CiFacts>>('GET /api/cmdb/ci/{id}', { params: { id }, signal });
  return { ci: body.data, etag };
};

export const changeCi = async (call: Call, id: string, wish: CiInput, etag: string | null): Promise<CiFacts> =>
  (await call<Wrapped<CiFacts>>('PUT /api/cmdb/ci/{id}', { params: { id }, body: wish, etag })).data;

export const makeCi = async (call: Call, wish: CiInput): Promise<CiFacts> =>
  (await call<Wrapped<CiFacts>>('POST /api/cmdb/ci', { body: wish })).data;

export const readStates = async (call: Call, ids: readonly string[], signal?: AbortSignal): Promise<States> =>
  (await call<Wrapped<States>>('POST /api/cmdb/ci/states', { body: { ids }, signal })).data;

export const readTypes = async (call: Call, signal?: AbortSignal): Promise<Types> =>
  (await call<Wrapped<Types>>('GET /api/cmdb/types', { signal })).data;

export const changeMany = async (call: Call, body: z.input<typeof BulkCis>): Promise<BulkReport> =>
  (await call<Wrapped<BulkReport>>('POST /api/cmdb/ci/bulk', { body })).data;

export const listCiEvents = (
  call: Call,
  id: string,
  query: AddressQuery,
  signal?: AbortSignal,
): Promise<ListReply<CiEvent>> => call('GET /api/cmdb/ci/{id}/events', { params: { id }, query, signal });

export const listCiPast = (
  call: Call,
  id: string,
  query: AddressQuery,
  signal?: AbortSignal,
): Promise<ListReply<CiPast>> => call('GET /api/cmdb/ci/{id}/history', { params: { id }, query, signal });

interface NewRelationship {
  readonly type: string;
  readonly source_ci: string;
  readonly target_ci: string;
}
export const makeRelationship = async (call: Call, body: NewRelationship): Promise<Relationship> =>
  (await call<Wrapped<Relationship>>('POST /api/cmdb/relationships', { body })).data;

export const removeRelationship = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/cmdb/relationships/{id}', { params: { id } });
