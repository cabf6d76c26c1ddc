import { inTurn } from '#application/records/in-turn.ts';
import { lastItem } from '#domain/assert.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Outgoing, Webhook } from '#features/webhooks/rules/webhook.ts';
import { DELIVERY_KINDS, firstOf, lastOf } from './records.ts';

/** Deliveries that wait for one webhook at most. */
const MAX_WAITING = 10_000;
/** Age at which a negative count is repeated, ms. */
const COUNTED_MS = 5_000;
const CHUNK = 1_000;
/** Deliveries that wait, by webhook, as far as this process knows. */
export const WAITING: MemorySlot<Map<string, { count: number; countedAt: number }>> = {
  name: 'waiting-deliveries',
  open: () => new Map(),
};

/** Sent instead of single deliveries without room. */
export interface Overflow {
  readonly tenant: string;
  readonly webhookId: string;
  readonly kind: Outgoing['kind'];
  /** Times of the first and the last of them, ms. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Deliveries that wait for the webhook; counts no further than the limit. */
export const countWaiting = async ({ records }: Pick<Ports, 'records'>, webhookId: string): Promise<number> => {
  let [count, after] = [0, firstOf(webhookId)];
  while (count <= MAX_WAITING) {
    const chunk = await records.list(SYSTEM_TENANT, DELIVERY_KINDS.due, { after, limit: CHUNK });
    const own = chunk.filter(({ id }) => id < lastOf(webhookId)).length;
    count += own;
    if (own < CHUNK) break;
    after = lastItem(chunk).id;
  }
  return count;
};

/** Reserves room for this number; they are counted as waiting. */
export const takeRoom = async (ports: Ports, { id }: Webhook, wanted: number): Promise<number> => {
  const { clock, memory } = ports;
  const now = clock.now();
  let known = memory.of(WAITING).get(id);
  if (known === undefined || (known.count + wanted > MAX_WAITING && now - known.countedAt >= COUNTED_MS)) {
    known = { count: await countWaiting(ports, id), countedAt: now };
    memory.of(WAITING).set(id, known);
  }
  const room = Math.min(wanted, Math.max(0, MAX_WAITING - known.count));
  known.count += room;
  return room;
};

/** True if this number of places is free, as of a few seconds ago. */
export const hasRoom = async (ports: Ports, webhookId: string, places: number): Promise<boolean> => {
  const { clock, memory } = ports;
  const now = clock.now();
  const known = memory.of(WAITING).get(webhookId);
  if (known !== undefined && now - known.countedAt < COUNTED_MS) return known.count + places <= MAX_WAITING;
  const count = await countWaiting(ports, webhookId);
  memory.of(WAITING).set(webhookId, { count, countedAt: now });
  return count + places <= MAX_WAITING;
};

const addTo = (ports: Ports, one: Overflow): Promise<void> => {
  const id = `${one.webhookId}-${one.kind}`;
  return inTurn(ports, { of: [DELIVERY_KINDS.overflow, SYSTEM_TENANT, id], ifMatch: null }, async () => {
    const stored = await ports.records.get<Overflow>(SYSTEM_TENANT, DELIVERY_KINDS.overflow, id);
    const before = stored?.body ?? { ...one, count: 0 };
    const body: Overflow = {
      ...before,
      from: Math.min(before.from, one.from),
      to: Math.max(before.to, one.to),
      count: before.count + one.count,
    };
    await ports.records.put(SYSTEM_TENANT, DELIVERY_KINDS.overflow, id, body, { expected: stored?.revision ?? 0 });
  });
};

/** Counts what found no room, by kind. */
export const noteOverflow = async (
  ports: Ports,
  tenant: string,
  webhook: Webhook,
  told: readonly Outgoing[],
): Promise<void> => {
  for (const [kind, some] of Map.groupBy(told, (one) => one.kind)) {
    const times = some.map(({ at }) => at);
    const [from, to] = [Math.min(...times), Math.max(...times)];
    await addTo(ports, { tenant, webhookId: webhook.id, kind, from, to, count: some.length });
  }
};
