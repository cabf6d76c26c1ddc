import type { TenantContext } from '#application/access/context.ts';
import { scanRecords } from '#application/records/scan-records.ts';
import { ACCESS_KINDS, type AuditRecord } from '#domain/access/records.ts';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import { Lru } from '#domain/lru.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';

/** Actions on groups, events and silences, newest first. */
type RecentActions = readonly AuditRecord[];

const KINDS: ReadonlySet<string> = new Set(['group', 'event', 'silence']);
const RECENT_MS = 7 * 24 * 3_600_000;
const MAX_ACTIONS = 2_000;
const MAX_TENANTS = 100;
/** An entry is stored with its change, which may be later than its id. */
const LATE_MS = 5 * 60_000;
const MAX_SCANNED = 10_000;
const CHUNK = { first: 500, further: 100 } as const;

interface RecentTail {
  /** Everything until then was read, ms. */
  readonly until: number;
  readonly actions: RecentActions;
}
const TAILS: MemorySlot<Lru<string, RecentTail>> = { name: 'recent-actions', open: () => new Lru(MAX_TENANTS) };

/** Returns actions of the last seven days, the newest 2,000 at most. Reads the entries since the last call only. */
export async function recentActions({ ports, tenant }: TenantContext, now: number): Promise<RecentActions> {
  const tails = ports.memory.of(TAILS);
  const known = tails.get(tenant);
  const least = leastUlidAt(now - RECENT_MS);
  const from = known === undefined ? least : leastUlidAt(Math.max(now - RECENT_MS, known.until - LATE_MS));
  const { items } = await scanRecords<AuditRecord>(ports.records, tenant, {
    kind: ACCESS_KINDS.audit,
    descending: true,
    limit: MAX_ACTIONS,
    until: from,
    atMost: MAX_SCANNED,
    chunk: known === undefined ? CHUNK.first : CHUNK.further,
    matches: ({ id, target }) => id >= from && KINDS.has(target.kind),
  });
  const kept = known?.actions.filter(({ id }) => id < from && id >= least) ?? [];
  const actions = [...items.map(({ body }) => body), ...kept].slice(0, MAX_ACTIONS);
  tails.set(tenant, { until: now, actions });
  return actions;
}
