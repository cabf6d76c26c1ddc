import { type AiSettings, DEFAULT_AI_SETTINGS } from '#domain/ai/settings.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

const KIND = 'settings';
const CALIBRATED = 'ai-calibrated';

/** The tenant's settings for AI functions; the defaults where it changed nothing. */
export const aiSettings = async (records: RecordStore, tenant: string): Promise<AiSettings> => {
  const said = (await records.get<Partial<AiSettings>>(tenant, KIND, 'ai'))?.body;
  const settings = { ...DEFAULT_AI_SETTINGS, ...said };
  if (settings.maxError === null) return settings;
  return { ...settings, ...(await records.get<Pick<AiSettings, 'abstainBelow'>>(tenant, KIND, CALIBRATED))?.body };
};

/** Null while the tenant wants no analyses. */
export const analysingSettings = async (
  { records }: { readonly records: RecordStore },
  tenant: string,
): Promise<AiSettings | null> => {
  const settings = await aiSettings(records, tenant);
  return settings.analyse ? settings : null;
};

/** `abstainBelow` by judged causes; null: too few. */
export const keepCalibrated = async (records: RecordStore, tenant: string, threshold: number | null): Promise<void> => {
  if (threshold === null) await records.remove(tenant, KIND, CALIBRATED);
  else await records.put(tenant, KIND, CALIBRATED, { abstainBelow: threshold });
};
