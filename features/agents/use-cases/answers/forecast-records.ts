import { recordChunks } from '#application/records/list-records.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

const KIND = 'agent-forecast';
const KEPT_MS = 100 * 86_400_000;

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

export async function storedForecasts(records: RecordStore, tenant: string): Promise<StoredForecast[]> {
  const all: StoredForecast[] = [];
  for await (const chunk of recordChunks<StoredForecast>(records, tenant, KIND))
    all.push(...chunk.map(({ body }) => body));
  return all;
}
