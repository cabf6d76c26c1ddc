import { type AiSettings, DEFAULT_AI_SETTINGS } from '#domain/ai/settings.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

/** The tenant's settings for AI functions; the defaults where it changed nothing. */
export const aiSettings = async (records: RecordStore, tenant: string): Promise<AiSettings> => ({
  ...DEFAULT_AI_SETTINGS,
  ...(await records.get<Partial<AiSettings>>(tenant, 'settings', 'ai'))?.body,
});
