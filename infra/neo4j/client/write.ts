/** Shared by all changes of the topology. */

import { firstItem, itemAt } from '#domain/assert.ts';
import { slices } from '#domain/slices.ts';
import type { Run } from './client.ts';

/** Rows per statement: more make a statement slower than they save (measured: 1,000 to 2,000). */
const BATCH = 1_000;

export async function inBatches<T>(
  rows: readonly T[],
  write: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (const some of slices(rows, BATCH)) await write(some);
}

const RAISE = `MERGE (t:Tenant {tenant: $tenant}) ON CREATE SET t.version = 0, t.cis = 0
  SET t.version = t.version + 1 RETURN t.version AS version`;
const COUNT = 'MATCH (t:Tenant {tenant: $tenant}) SET t.cis = t.cis + $by';

/** Locks the tenant's topology until the transaction ends, and numbers the change. */
export async function raiseVersion(run: Run, tenant: string): Promise<number> {
  return firstItem(await run<{ version: number }>(RAISE, { tenant })).version;
}

export async function countCis(run: Run, tenant: string, by: number): Promise<void> {
  if (by !== 0) await run(COUNT, { tenant, by });
}

/** Splits a list into parts in which every id occurs once; later versions are in later parts. */
export function rounds<T extends { readonly id: string }>(rows: readonly T[]): T[][] {
  const found: T[][] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    const round = seen.get(row.id) ?? 0;
    seen.set(row.id, round + 1);
    if (found.length === round) found.push([]);
    itemAt(found, round).push(row);
  }
  return found;
}
