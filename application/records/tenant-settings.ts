import { type AiSettings, DEFAULT_AI_SETTINGS } from '#domain/ai/settings.ts';
import { type SettingsOverrides, settingsWith } from '#domain/correlation/settings/tenant-settings.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import type { CheckRule } from '#domain/event/identity/check-rules.ts';
import { DEFAULT_LIFECYCLE, type Lifecycle } from '#domain/event/lifecycle/lifecycle.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { InboundSettings } from '#sources/kit/source.ts';
import { alertDurations } from './alert-durations.ts';

/** The settings of a tenant, each kind in a record of its own; the defaults where it changed nothing. */
const KIND = 'settings';
const CALIBRATED = 'ai-calibrated';
interface StoredInbound extends Omit<InboundSettings, 'replicaLabels' | 'durations'> {
  readonly checks: readonly CheckRule[];
}
export const NO_INBOUND: StoredInbound = { severities: {}, snsTopics: [], alerts: [], checks: [] };
/** Events that began earlier might be late for their group; ms. */
const MAX_DURATION_MS = 30 * 60_000;

export const correlationSettings = async (records: RecordStore, tenant: string): Promise<CorrelationSettings> =>
  settingsWith((await records.get<SettingsOverrides>(tenant, KIND, 'correlation'))?.body ?? null);

export const inboundSettings = async (records: RecordStore, tenant: string): Promise<InboundSettings> => {
  const [inbound, { replicaLabels }, durations] = await Promise.all([
    records.get<Partial<InboundSettings>>(tenant, KIND, 'inbound'),
    lifecycleSettings(records, tenant),
    shortDurations(records, tenant),
  ]);
  return { ...NO_INBOUND, ...inbound?.body, replicaLabels, durations };
};

/** Rules for checks, which apply to events of all interfaces. */
export const checkRules = async (records: RecordStore, tenant: string): Promise<readonly CheckRule[]> =>
  (await records.get<Partial<StoredInbound>>(tenant, KIND, 'inbound'))?.body.checks ?? NO_INBOUND.checks;

const shortDurations = (records: RecordStore, tenant: string): Promise<ReadonlyMap<string, number>> =>
  alertDurations(records, tenant, async () =>
    Math.min(MAX_DURATION_MS, (await correlationSettings(records, tenant)).latenessMs / 2),
  );

/** Returns the settings by which unresolved events of the tenant end. */
export const lifecycleSettings = async (records: RecordStore, tenant: string): Promise<Lifecycle> => ({
  ...DEFAULT_LIFECYCLE,
  ...(await records.get<Partial<Lifecycle>>(tenant, KIND, 'lifecycle'))?.body,
});

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
export const storeCalibrated = async (
  records: RecordStore,
  tenant: string,
  threshold: number | null,
): Promise<void> => {
  if (threshold === null) await records.remove(tenant, KIND, CALIBRATED);
  else await records.put(tenant, KIND, CALIBRATED, { abstainBelow: threshold });
};
