import { everyRecord } from '#application/records/list-records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { type AgentId, type Label, type LabelSubject, standingLabels } from '#features/agents/rules/agents.ts';
import type { Range } from '#features/ai/rules/time/range.ts';

const KIND = 'agent-forecast';
const KEPT_MS = 100 * 86_400_000;

/** Share of counts expected within a forecast interval. */
export const FORECAST_CONFIDENCE = 0.8;
export const eventsIn = async (ports: Ports, tenant: string, { from, to }: Range): Promise<number> => {
  const request = { measure: 'events', by: [], limit: 1 } as const;
  return (await ports.eventAggregates.aggregate(tenant, { from, to }, request)).buckets[0]?.count ?? 0;
};

/** Forecast of the number of new events in a period, with its 80% interval. */
export interface StoredForecast {
  /** Derived from the period, which has one forecast. */
  readonly id: string;
  /** ms. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export const forecastId = (from: number): string => `events-${new Date(from).toISOString().slice(0, 13)}`;

/** Stores only the first forecast of a period: later ones would have more data. */
export async function storeForecast(records: RecordStore, tenant: string, forecast: StoredForecast): Promise<void> {
  if ((await records.get(tenant, KIND, forecast.id)) !== null) return;
  await records.put(tenant, KIND, forecast.id, forecast, { expiresAt: forecast.to + KEPT_MS });
}

export const findForecast = async (records: RecordStore, tenant: string, id: string): Promise<StoredForecast | null> =>
  (await records.get<StoredForecast>(tenant, KIND, id))?.body ?? null;

export const storedForecasts = (records: RecordStore, tenant: string): Promise<StoredForecast[]> =>
  everyRecord<StoredForecast>(records, tenant, KIND);

const LABEL_KIND = 'agent-label';
const DAY_MS = 86_400_000;
const LABEL_KEPT_MS = 400 * DAY_MS;
/** Maximum number of labels to read per agent, and per request. */
const MOST = 10_000;
const CHUNK = 1_000;

/** Replaces the user ID in the storage ID of an outcome. */
const OUTCOME = '-';
const idOf = ({ agent, subject, user }: Pick<Label, 'agent' | 'subject' | 'user'>): string =>
  `${agent}/${subject.kind}:${subject.id}/${user ?? OUTCOME}`;

/** Replaces an earlier label of the same user, or of the outcome. */
export const storeLabel = async (
  records: RecordStore,
  tenant: string,
  label: Label,
  sideRecords: readonly SideRecord[] = [],
): Promise<void> => {
  await records.put(tenant, LABEL_KIND, idOf(label), label, { expiresAt: label.at + LABEL_KEPT_MS, sideRecords });
};

/** True if the decision has already been judged by its outcome. */
export const hasOutcome = async (
  records: RecordStore,
  tenant: string,
  agent: AgentId,
  subject: LabelSubject,
): Promise<boolean> => (await records.get(tenant, LABEL_KIND, idOf({ agent, subject, user: null }))) !== null;

/** Returns the labels in force, for decisions judged since `from` (ms). */
export async function labelsOf(records: RecordStore, tenant: string, agent: AgentId, from: number): Promise<Label[]> {
  const found: Label[] = [];
  let after = `${agent}/`;
  for (let more = true; more && found.length < MOST; ) {
    const chunk = await records.list<Label>(tenant, LABEL_KIND, { after, limit: CHUNK });
    const own = chunk.filter(({ id }) => id.startsWith(`${agent}/`));
    found.push(...own.map(({ body }) => body));
    after = chunk.at(-1)?.id ?? after;
    more = own.length === CHUNK;
  }
  return standingLabels(found.filter(({ at }) => at >= from));
}
