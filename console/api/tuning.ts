import type { z } from 'zod';
import type { LifecyclePut, LifecycleReply } from '#schemas/http/admin/lifecycle.ts';
import type { CorrelationReply } from '#schemas/http/admin/settings.ts';
import type { QualityBody } from '#schemas/http/events/quality.ts';
import type { Call } from './link/call.ts';
import { type Versioned, versioned } from './link/versioned.ts';

export type Correlation = z.output<typeof CorrelationReply> & Versioned;
export type LifecycleShown = z.output<typeof LifecycleReply> & Versioned;
export type LifecycleWish = z.input<typeof LifecyclePut>;
export type QualityShown = z.output<typeof QualityBody>;
/** Laid over the settings: what is absent stays, null gives back the default. */
export type Patch = Readonly<Record<string, unknown>>;

interface Data<T> {
  readonly data: T;
}

export const readCorrelation = async (call: Call, signal?: AbortSignal): Promise<Correlation> =>
  versioned(await call.whole<Data<Correlation>>('GET /api/admin/settings/correlation', { signal }));

export const saveCorrelation = async (call: Call, patch: Patch, etag: string | null): Promise<Correlation> =>
  versioned(await call.whole<Data<Correlation>>('PUT /api/admin/settings/correlation', { body: patch, etag }));

export const readLifecycle = async (call: Call, signal?: AbortSignal): Promise<LifecycleShown> =>
  versioned(await call.whole<Data<LifecycleShown>>('GET /api/admin/settings/lifecycle', { signal }));

export const saveLifecycle = async (call: Call, wish: LifecycleWish, etag: string | null): Promise<LifecycleShown> =>
  versioned(await call.whole<Data<LifecycleShown>>('PUT /api/admin/settings/lifecycle', { body: wish, etag }));

export const readQuality = async (call: Call, timeRange: string, signal?: AbortSignal): Promise<QualityShown> =>
  (await call<{ readonly quality: QualityShown }>('GET /api/events/quality', { query: { timeRange }, signal })).quality;
