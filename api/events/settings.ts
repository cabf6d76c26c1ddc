import { type CorrelationSettings, type SettingsOverrides, settingsWith } from '#domain/correlation/settings.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { InboundSettings } from '#schemas/sources/source.ts';

const NO_INBOUND: InboundSettings = { severities: {}, snsTopics: [] };

/** The tenant's correlation settings; the defaults where it changed nothing. */
export const correlationSettings = async (records: RecordStore, tenant: string): Promise<CorrelationSettings> =>
  settingsWith((await records.get<SettingsOverrides>(tenant, 'settings', 'correlation'))?.body ?? null);

export const inboundSettings = async (records: RecordStore, tenant: string): Promise<InboundSettings> => ({
  ...NO_INBOUND,
  ...(await records.get<Partial<InboundSettings>>(tenant, 'settings', 'inbound'))?.body,
});
