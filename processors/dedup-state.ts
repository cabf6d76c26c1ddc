import { SEEN_BIN_MS, SEEN_BINS } from '#domain/event/life/seen.ts';
import type { OpenEvent, Restorable } from '#domain/pipeline/processor.ts';
import { openRefill, openRows, RECOVERY_MS, type Rows, refillSeen } from './dedup-rows.ts';
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

/** Drops all that is remembered of a tenant, and what it has not been told of yet. */
export const forgetTenant = ({ tenants, repeats }: DedupState, tenant: string): void => {
  tenants.delete(tenant);
  for (const [id, { event }] of repeats) if (event.tenant === tenant) repeats.delete(id);
};

/** Events that occurred since then may still know something: a late occurrence stands four hours behind what is remembered, which goes four hours back. */
const SEEN_MS = (2 * SEEN_BINS + 1) * SEEN_BIN_MS;

const restoreOpen = async (state: DedupState, from: Restorable): Promise<void> => {
  const refills = new Map<string, (event: OpenEvent) => void>();
  for await (const piece of from.openEvents())
    for (const event of piece) {
      let refill = refills.get(event.tenant);
      if (refill === undefined) {
        refill = openRefill(rowsOf(state, event.tenant));
        refills.set(event.tenant, refill);
      }
      refill(event);
    }
};

/** Refills the memory after a start. */
export const restore = async (state: DedupState, from: Restorable, now: number): Promise<void> => {
  for await (const { tenant, last, newest } of from.watermarks()) {
    const rows = rowsOf(state, tenant);
    rows.watermark = last;
    rows.newest = newest;
  }
  await restoreOpen(state, from);
  for await (const recovery of from.recoveries(now - RECOVERY_MS)) {
    rowsOf(state, recovery.tenant).recoveries.set(recovery.conditionId, recovery);
  }
  for await (const piece of from.seen(SEEN_MS))
    for (const { tenant, identity, seen } of piece) refillSeen(rowsOf(state, tenant), identity, seen);
};
