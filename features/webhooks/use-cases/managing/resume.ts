import { lastItem } from '#domain/assert.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { CLOSED } from '#features/webhooks/rules/breaker.ts';
import type { Delivery } from '#features/webhooks/rules/webhook.ts';
import {
  DELIVER,
  DELIVERY_KINDS,
  type Due,
  dueRecords,
  expiryOf,
  lastOf,
  placed,
  untilOf,
} from '#features/webhooks/use-cases/delivery/records.ts';
import { webhookState } from '#features/webhooks/use-cases/delivery/state.ts';
import { dropPlace } from './redeliver.ts';

/** Webhooks that are hurried in one turn, and deliveries of each. */
const WEBHOOKS = 20;
const STEP = 200;

interface Resumed {
  readonly tenant: string;
  readonly webhookId: string;
  readonly at: number;
  /** The last scanned place in the queue. */
  readonly after: string;
}

/**
 * Ends the webhook's pause and clears its failures; waiting deliveries are due within a moment. `sideRecords` are
 * stored with it. Must be called when it is active again.
 */
export const resume = async (
  ports: Ports,
  tenant: string,
  webhookId: string,
  audit: readonly SideRecord[],
): Promise<void> => {
  const at = ports.clock.now();
  const body: Resumed = { tenant, webhookId, at, after: untilOf(webhookId, at) };
  const id = `${webhookId}-${ports.ids.ulid()}`;
  const resumed: SideRecord = { tenant: SYSTEM_TENANT, kind: DELIVERY_KINDS.resumed, id, body };
  const state = { ...(await webhookState(ports, tenant, webhookId)), ...CLOSED, failingSince: null };
  await ports.records.put(tenant, DELIVERY_KINDS.state, webhookId, state, { sideRecords: [resumed, ...audit] });
  ports.background.ring(DELIVER);
};

/**
 * A delivery that failed since then retains its time, or it would be retried without a pause; one due by now may be in
 * flight.
 */
const wantsHurry = (delivery: Delivery, due: Due, since: number, now: number): boolean =>
  delivery.turn === due.turn && due.at > now && delivery.attempts.every(({ at }) => at <= since);

const hurry = async (ports: Ports, { body: due }: StoredRecord<Due>, since: number): Promise<void> => {
  const { tenant, deliveryId } = due;
  const stored = await ports.records.get<Delivery>(tenant, DELIVERY_KINDS.delivery, deliveryId);
  const now = ports.clock.now();
  if (stored === null || !wantsHurry(stored.body, due, since, now)) return;
  const body = placed(stored.body, now);
  const options = { expected: stored.revision, expiresAt: expiryOf(body, now), sideRecords: dueRecords(tenant, body) };
  try {
    await ports.records.put(tenant, DELIVERY_KINDS.delivery, deliveryId, body, options);
    await dropPlace(ports, tenant, stored.body);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
};

/** One step; the next turn continues behind it. */
const hurryStep = async (ports: Ports, { id, body }: StoredRecord<Resumed>): Promise<void> => {
  const { webhookId, after, at } = body;
  const options = { after, limit: STEP };
  const page = await ports.records.list<Due>(SYSTEM_TENANT, DELIVERY_KINDS.due, options);
  const own = page.filter((due) => due.id < lastOf(webhookId));
  await Promise.all(own.map((due) => hurry(ports, due, at)));
  if (own.length < STEP) return void (await ports.records.remove(SYSTEM_TENANT, DELIVERY_KINDS.resumed, id));
  const next: Resumed = { ...body, after: lastItem(own).id };
  await ports.records.put(SYSTEM_TENANT, DELIVERY_KINDS.resumed, id, next);
  ports.background.ring(DELIVER);
};

/** Makes what waited for webhooks when they were resumed due now, the longest due first. Twice at once does no harm. */
export const hurryResumed = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const page = await ports.records.list<Resumed>(SYSTEM_TENANT, DELIVERY_KINDS.resumed, { limit: WEBHOOKS });
  for (const resumed of page) if (!isStopping()) await hurryStep(ports, resumed);
};
