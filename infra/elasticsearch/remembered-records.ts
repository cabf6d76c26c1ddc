import { Lru } from '#domain/lru.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';

/** Documents that nearly every request reads and few change. Credentials are cached where they are checked. */
const KINDS: ReadonlySet<string> = new Set(['settings']);
/** Time for which another process may use outdated data after a change by this one; ms. */
export const REMEMBERED_MS = 2_000;
const MAX_RECORDS = 10_000;

interface Remembered {
  readonly record: Promise<StoredRecord<unknown> | null>;
  readonly until: number;
}

/**
 * Records of some kinds are read from the store at most every 2 s. What this process puts it reads at once. `now` only grows; ms.
 */
export const rememberedRecords = (records: RecordStore, now: () => number = () => performance.now()): RecordStore => {
  const known = new Lru<string, Remembered>(MAX_RECORDS);
  const keyOf = (...parts: readonly string[]): string => parts.join('\n');

  const read = (key: string, ask: () => Promise<StoredRecord<unknown> | null>): Remembered['record'] => {
    const found = known.get(key);
    if (found !== undefined && found.until > now()) return found.record;
    const record = ask();
    known.set(key, { record, until: now() + REMEMBERED_MS });
    record.catch(() => known.delete(key));
    return record;
  };
  /** Rows read before the end of the change are dropped too. */
  const changing = async <T>(key: string, change: () => Promise<T>): Promise<T> => {
    try {
      return await change();
    } finally {
      known.delete(key);
    }
  };

  return {
    list: records.list,
    get<T>(tenant: string, kind: string, id: string) {
      const ask = () => records.get<T>(tenant, kind, id);
      return (KINDS.has(kind) ? read(keyOf(tenant, kind, id), ask) : ask()) as Promise<StoredRecord<T> | null>;
    },
    put: (tenant, kind, id, ...rest) => changing(keyOf(tenant, kind, id), () => records.put(tenant, kind, id, ...rest)),
    remove: (tenant, kind, id, along) =>
      changing(keyOf(tenant, kind, id), () => records.remove(tenant, kind, id, along)),
  };
};
