import { isOvertaken } from '#domain/fault.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { sameJson } from '#domain/same-json.ts';

/** Time for which alerts pend before they fire (`for` of their rule), by source and alert name; ms. */
type StoredDurations = Readonly<Record<string, Readonly<Record<string, number>>>>;
/** Among the settings, which are remembered between requests. */
const KIND = 'settings';
const ID = 'alert-durations';

/** Shortest duration by alert name over all sources, at most that of `most`, which is asked only if there are any; ms. */
export const alertDurations = async (
  records: RecordStore,
  tenant: string,
  most: () => Promise<number>,
): Promise<ReadonlyMap<string, number>> => {
  const shortest = new Map<string, number>();
  const stored = (await records.get<StoredDurations>(tenant, KIND, ID))?.body ?? {};
  const all = Object.values(stored).flatMap(Object.entries<number>);
  const limit = all.length === 0 ? 0 : await most();
  for (const [name, ms] of all) shortest.set(name, Math.min(shortest.get(name) ?? limit, ms));
  return shortest;
};

/** Replaces the durations of a source; after a concurrent change of another one, the next run does. */
export async function storeDurations(
  records: RecordStore,
  tenant: string,
  source: string,
  durations: Readonly<Record<string, number>>,
): Promise<void> {
  const stored = await records.get<StoredDurations>(tenant, KIND, ID);
  const { [source]: before = {}, ...others } = stored?.body ?? {};
  if (sameJson(before, durations)) return;
  const next = Object.keys(durations).length === 0 ? others : { ...others, [source]: durations };
  await records.put(tenant, KIND, ID, next, { expected: stored?.revision ?? 0 }).catch((error: unknown) => {
    if (!isOvertaken(error)) throw error;
  });
}
