import type { z } from 'zod';
import type { SettingsHistoryPaths } from '#console/api/admin/settings-history.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call, Reply } from '#console/api/link/call.ts';
import { type Versioned, versioned } from '#console/api/link/versioned.ts';
import type { MonitoringReply } from '#features/ai/schemas/monitoring.ts';
import type { AiSettingsPatch, AiSettingsReply } from '#features/ai/schemas/settings.ts';

/** Key of the query. */
export const AI_SETTINGS = ['ai', 'settings'] as const;

type Settings = z.output<typeof AiSettingsReply>;
export type AiSettingsData = Settings & Versioned;
export type AiUsageData = Pick<z.output<typeof MonitoringReply>, 'metrics' | 'summary'>;

export const readAiSettings = async (call: Call, signal?: AbortSignal): Promise<AiSettingsData> =>
  versioned(await call.whole<Reply<Settings>>('GET /api/admin/settings/ai', { signal }));

export const AI_HISTORY: SettingsHistoryPaths = {
  list: 'GET /api/admin/settings/ai/history',
  restore: 'POST /api/admin/settings/ai/restore',
};

export const saveAiSettings = async (
  call: Call,
  patch: z.input<typeof AiSettingsPatch>,
  etag: string | null,
): Promise<AiSettingsData> =>
  versioned(await call.whole<Reply<Settings>>('PUT /api/admin/settings/ai', { body: patch, etag }));

export const readAiUsage = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<AiUsageData> =>
  call<AiUsageData>('GET /api/monitoring/ai', { query, signal });
