import type { z } from 'zod';
import type { MonitoringReply } from '#schemas/http/ai/monitoring.ts';
import type { AiSettingsPatch, AiSettingsReply } from '#schemas/http/ai/settings.ts';
import type { Query } from '../link/address.ts';
import type { Call } from '../link/call.ts';

export type AiSettings = z.output<typeof AiSettingsReply>;
export type AiUsage = Pick<z.output<typeof MonitoringReply>, 'metrics' | 'summary'>;

type Data<T> = { readonly data: T };

export const readAiSettings = async (call: Call, signal?: AbortSignal): Promise<AiSettings> =>
  (await call<Data<AiSettings>>('GET /api/admin/settings/ai', { signal })).data;

export const saveAiSettings = async (call: Call, patch: z.input<typeof AiSettingsPatch>): Promise<AiSettings> =>
  (await call<Data<AiSettings>>('PUT /api/admin/settings/ai', { body: patch })).data;

export const readAiUsage = (call: Call, query: Query, signal?: AbortSignal): Promise<AiUsage> =>
  call<AiUsage>('GET /api/monitoring/ai', { query, signal });
