import { scanRecords } from '#application/records/scan-records.ts';
import { ACCESS_KINDS, type AuditRecord } from '#domain/access/records.ts';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

/** Corrections of people by hand. */
export interface Corrections {
  /** How often a part was taken out of a group, and how often events or groups were put together. */
  readonly splits: number;
  readonly merges: number;
  /** More entries of the audit trail than are looked at. */
  readonly isTruncated: boolean;
}

const SPLIT = 'group.split';
const MERGED = 'event.correlated';
/** Entries that are looked at, and counted. */
const SCANNED = 10_000;
const COUNTED = 5_000;
const CHUNK = 500;

/** Counts the audit trail since a time (ms). */
export async function correctionsSince(records: RecordStore, tenant: string, since: number): Promise<Corrections> {
  const { items, nextCursor } = await scanRecords<AuditRecord>(records, tenant, {
    ...{ kind: ACCESS_KINDS.audit, descending: true, limit: COUNTED, atMost: SCANNED, chunk: CHUNK },
    until: leastUlidAt(since),
    matches: ({ action, at }) => at >= since && (action === SPLIT || action === MERGED),
  });
  const splits = items.filter(({ body }) => body.action === SPLIT).length;
  return { splits, merges: items.length - splits, isTruncated: nextCursor !== null };
}
