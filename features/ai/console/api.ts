import type { z } from 'zod';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call } from '#console/api/link/call.ts';
import { type Versioned, versioned } from '#console/api/link/versioned.ts';
import type { MonitoringReply } from '#features/ai/schemas/monitoring.ts';
import type { AiSettingsPatch, AiSettingsReply } from '#features/ai/schemas/settings.ts';

type Settings = z.output<typeof AiSettingsReply>;
export type AiSettingsShown = Settings & Versioned;
export type AiUsageShown = Pick<z.output<typeof MonitoringReply>, 'metrics' | 'summary'>;

type Data<T> = { readonly data: T };

export const readAiSettings = async (call: Call, signal?: AbortSignal): Promise<AiSettingsShown> =>
  versioned(await call.whole<Data<Settings>>('GET /api/admin/settings/ai', { signal }));

export const saveAiSettings = async (
  call: Call,
  patch: z.input<typeof AiSettingsPatch>,
  etag: string | null,
): Promise<AiSettingsShown> =>
  versioned(await call.whole<Data<Settings>>('PUT /api/admin/settings/ai', { body: patch, etag }));

export const readAiUsage = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<AiUsageShown> =>
  call<AiUsageShown>('GET /api/monitoring/ai', { query, signal });
