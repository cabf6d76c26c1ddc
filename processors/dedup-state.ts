import { SEEN_BIN_MS, SEEN_BINS } from '#domain/event/seen.ts';
import type { Restorable } from '#domain/ports/processor.ts';
import { openRows, RECOVERY_MS, type Rows, refillSeen, reindex } from './dedup-rows.ts';
import type { Repeats } from './dedup-work.ts';

export interface DedupState {
  readonly tenants: Map<string, Rows>;
  readonly repeats: Repeats;
  /** Position of the last record taken. */
  through: number;
}

export const rowsOf = (state: DedupState, tenant: string): Rows => {
  const known = state.tenants.get(tenant);
  if (known !== undefined) return known;
  const rows = openRows();
  state.tenants.set(tenant, rows);
  return rows;
};

/** Events that occurred since then may still know something: a late occurrence stands four hours behind what is remembered, which goes four hours back. */
const SEEN_MS = (2 * SEEN_BINS + 1) * SEEN_BIN_MS;

/** Refills the memory after a start. */
export const restore = async (state: DedupState, from: Restorable, now: number): Promise<void> => {
  for await (const { tenant, last } of from.watermarks()) rowsOf(state, tenant).watermark = last;
  const newest = new Map<string, number>();
  for await (const event of from.openEvents()) {
    const rows = rowsOf(state, event.tenant);
    const key = `${event.tenant}/${event.identity}`;
    const other = rows.byIdentity.get(event.identity);
    reindex(rows, null, event);
    if (other !== undefined && (newest.get(key) ?? 0) > event.createdPosition)
      rows.byIdentity.set(event.identity, other);
    else newest.set(key, event.createdPosition);
  }
  for await (const recovery of from.recoveries(now - RECOVERY_MS)) {
    rowsOf(state, recovery.tenant).recoveries.set(recovery.conditionId, recovery);
  }
  for await (const { tenant, identity, seen } of from.seen(SEEN_MS)) {
    refillSeen(rowsOf(state, tenant), identity, seen);
  }
};
