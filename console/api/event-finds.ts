import type { z } from 'zod';
import type { EventDetail } from '#schemas/http/events/event-view.ts';
import type { FacetsReply, HistogramReply } from '#schemas/http/events/found.ts';
import type { AddressQuery } from './link/address.ts';
import type { Call } from './link/call.ts';

export type OneEvent = z.output<typeof EventDetail>;
export type FacetsData = z.output<typeof FacetsReply>;
type Histogram = z.output<typeof HistogramReply>;

export const readEvent = async (call: Call, eventId: string, signal?: AbortSignal): Promise<OneEvent> =>
  (await call<{ readonly event: OneEvent }>('GET /api/events/{eventId}', { params: { eventId }, signal })).event;

export const readFacets = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<FacetsData> =>
  call('GET /api/events/facets', { query, signal });

export const readHistogram = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<Histogram> =>
  call('GET /api/events/histogram', { query, signal });
