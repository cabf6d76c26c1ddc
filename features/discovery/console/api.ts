import type { z } from 'zod';
import type { ListReply } from '#console/api/cmdb/cmdb.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call } from '#console/api/link/call.ts';
import type {
  DiscoveryToken,
  IssuedDiscoveryToken,
  NewDiscoveryToken,
  Resolution,
  ReviewView,
  UnboundHosts,
} from '#features/discovery/schemas/discovery-admin.ts';
import type { ProvenanceView, ScanDetail, ScanSummary } from '#features/discovery/schemas/discovery-view.ts';

export type ScanSummaryData = z.output<typeof ScanSummary>;
type ScanFacts = z.output<typeof ScanDetail>;
export type ReviewData = z.output<typeof ReviewView>;
export type UnboundData = z.output<typeof UnboundHosts>;
export type UnboundHost = UnboundData['hosts'][number];
export type ScannerToken = z.output<typeof DiscoveryToken>;
export type IssuedScannerToken = z.output<typeof IssuedDiscoveryToken>;

export type ProvenanceData = z.output<typeof ProvenanceView>;

interface Wrapped<T> {
  readonly data: T;
}

export const listScans = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<ListReply<ScanSummaryData>> =>
  call('GET /api/discovery/scans', { query, signal });

export const readScan = async (call: Call, id: string, query: AddressQuery, signal?: AbortSignal): Promise<ScanFacts> =>
  (await call<Wrapped<ScanFacts>>('GET /api/discovery/scans/{id}', { params: { id }, query, signal })).data;

export const listReviews = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<ListReply<ReviewData>> =>
  call('GET /api/discovery/reviews', { query, signal });

export const resolveReview = (call: Call, id: string, body: z.input<typeof Resolution>): Promise<unknown> =>
  call('POST /api/discovery/reviews/{id}/resolve', { params: { id }, body });

export const readUnbound = async (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<UnboundData> =>
  (await call<Wrapped<UnboundData>>('GET /api/discovery/unbound-hosts', { query, signal })).data;

export const listScannerTokens = (
  call: Call,
  query: AddressQuery,
  signal?: AbortSignal,
): Promise<ListReply<ScannerToken>> => call('GET /api/discovery/tokens', { query, signal });

export const makeScannerToken = async (call: Call, body: z.input<typeof NewDiscoveryToken>) =>
  (await call<Wrapped<IssuedScannerToken>>('POST /api/discovery/tokens', { body })).data;

export const renewScannerToken = async (call: Call, id: string, body: { readonly overlap?: string }) =>
  (await call<Wrapped<IssuedScannerToken>>('POST /api/discovery/tokens/{id}/rotate', { params: { id }, body })).data;

export const revokeScannerToken = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/discovery/tokens/{id}', { params: { id } });

export const readProvenance = async (call: Call, id: string, signal?: AbortSignal): Promise<ProvenanceData> =>
  (await call<Wrapped<ProvenanceData>>('GET /api/cmdb/ci/{id}/provenance', { params: { id }, signal })).data;
