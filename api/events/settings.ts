import { type CorrelationSettings, type SettingsOverrides, settingsWith } from '#domain/correlation/settings.ts';
import { DEFAULT_LIFECYCLE, type Lifecycle } from '#domain/event/lifecycle.ts';
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

/** How events of the tenant end that nothing ends. */
export const lifecycleSettings = async (records: RecordStore, tenant: string): Promise<Lifecycle> => ({
  ...DEFAULT_LIFECYCLE,
  ...(await records.get<Partial<Lifecycle>>(tenant, 'settings', 'lifecycle'))?.body,
});
