import { SEEN_BIN_MS, SEEN_BINS } from '#domain/event/seen.ts';
import type { Restorable } from '#domain/ports/processor.ts';
import { openRows, RECOVERY_MS, type Rows, refillOpen, refillSeen } from './dedup-rows.ts';
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

/** Of two open events with one identity the one made last is found by it. */
const restoreOpen = async (state: DedupState, from: Restorable): Promise<void> => {
  const made = new Map<Rows, Map<string, number>>();
  for await (const event of from.openEvents()) {
    const rows = rowsOf(state, event.tenant);
    const { identity, createdPosition } = event;
    let newest = made.get(rows);
    if (newest === undefined) {
      newest = new Map();
      made.set(rows, newest);
    }
    const other = rows.byIdentity.get(identity);
    refillOpen(rows, event);
    if (other !== undefined && (newest.get(identity) ?? 0) > createdPosition) rows.byIdentity.set(identity, other);
    else newest.set(identity, createdPosition);
  }
};

/** Refills the memory after a start. */
export const restore = async (state: DedupState, from: Restorable, now: number): Promise<void> => {
  for await (const { tenant, last } of from.watermarks()) rowsOf(state, tenant).watermark = last;
  await restoreOpen(state, from);
  for await (const recovery of from.recoveries(now - RECOVERY_MS)) {
    rowsOf(state, recovery.tenant).recoveries.set(recovery.conditionId, recovery);
  }
  for await (const { tenant, identity, seen } of from.seen(SEEN_MS)) {
    refillSeen(rowsOf(state, tenant), identity, seen);
  }
};
