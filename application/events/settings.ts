import { longestWindowMs, type SettingsOverrides, settingsWith } from '#domain/correlation/settings/tenant-settings.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import { MAX_BEHIND_MS } from '#domain/event/life/change.ts';
import { DEFAULT_LIFECYCLE, type Lifecycle } from '#domain/event/life/lifecycle.ts';
import { RETURN_AFTER_MS } from '#domain/event/life/occurrence.ts';
import type { DedupSettings } from '#domain/event/life/prepare.ts';
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

/** The settings that occurrences carry; defaults of dedup are left out. */
export const dedupSettings = (settings: CorrelationSettings): DedupSettings => {
  const { dedupScope, dedupWindowMs, plainEscalation, maxBehindMs } = settings;
  const returnAfterMs = longestWindowMs(settings);
  return {
    ...{ dedupScope, dedupWindowMs },
    ...(maxBehindMs !== MAX_BEHIND_MS && { maxBehindMs }),
    ...(returnAfterMs !== RETURN_AFTER_MS && { returnAfterMs }),
    ...(plainEscalation === 'same_event' && { escalation: plainEscalation }),
  };
};
