import { isOvertaken } from '#domain/fault.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

const ATTEMPTS = 3;

interface NotedRecord {
  readonly tenant: string;
  /** Kind of the record store. */
  readonly kind: string;
  readonly id: string;
  /** ms; absent: it stays. */
  readonly expiresAt?: number;
}

/** Changes a stored note, and retries after a concurrent write; `change` returns null to leave it unchanged. */
export const amendNote = async <T>(
  records: RecordStore,
  { tenant, kind, id, ...kept }: NotedRecord,
  change: (before: T | null) => T | null,
): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const stored = await records.get<T>(tenant, kind, id);
    const after = change(stored?.body ?? null);
    if (after === null) return;
    try {
      await records.put(tenant, kind, id, after, { expected: stored?.revision ?? 0, ...kept });
      return;
    } catch (error) {
      const overtaken = isOvertaken(error);
      if (!overtaken || attempt === ATTEMPTS) throw error;
    }
  }
};
