import type { z } from 'zod';
import type { LifecyclePut, LifecycleReply } from '#schemas/http/admin/lifecycle.ts';
import type { CorrelationReply } from '#schemas/http/admin/settings.ts';
import type { QualityBody } from '#schemas/http/events/quality.ts';
import type { Call, Reply } from './link/call.ts';
import { type Versioned, versioned } from './link/versioned.ts';

export type Correlation = z.output<typeof CorrelationReply> & Versioned;
export type LifecycleData = z.output<typeof LifecycleReply> & Versioned;
export type LifecycleInput = z.input<typeof LifecyclePut>;
export type QualityData = z.output<typeof QualityBody>;
/** Patch of the settings: absent fields stay, null restores the default. */
export type Patch = Readonly<Record<string, unknown>>;

export const readCorrelation = async (call: Call, signal?: AbortSignal): Promise<Correlation> =>
  versioned(await call.whole<Reply<Correlation>>('GET /api/admin/settings/correlation', { signal }));

export const saveCorrelation = async (call: Call, patch: Patch, etag: string | null): Promise<Correlation> =>
  versioned(await call.whole<Reply<Correlation>>('PUT /api/admin/settings/correlation', { body: patch, etag }));

export const readLifecycle = async (call: Call, signal?: AbortSignal): Promise<LifecycleData> =>
  versioned(await call.whole<Reply<LifecycleData>>('GET /api/admin/settings/lifecycle', { signal }));

export const saveLifecycle = async (call: Call, wish: LifecycleInput, etag: string | null): Promise<LifecycleData> =>
  versioned(await call.whole<Reply<LifecycleData>>('PUT /api/admin/settings/lifecycle', { body: wish, etag }));

export const readQuality = async (call: Call, timeRange: string, signal?: AbortSignal): Promise<QualityData> =>
  (await call<{ readonly quality: QualityData }>('GET /api/events/quality', { query: { timeRange }, signal })).quality;
