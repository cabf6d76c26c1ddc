import type { PostFailure } from '#domain/ports/outbound.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import { signedRequest } from '#features/webhooks/rules/attempt.ts';
import { standardBody } from '#features/webhooks/rules/body.ts';
import { formatted } from '#features/webhooks/rules/formats/formatted.ts';
import type { Attempt, Delivery, Webhook } from '#features/webhooks/rules/webhook.ts';
import { resourceData } from '#features/webhooks/use-cases/resources/resource-data.ts';
import { isStillWanted } from './judge.ts';
import { DELIVERY_KINDS, expiryOf } from './records.ts';

const TIMEOUT_MS = 15_000;

export interface Sending {
  readonly ports: Ports;
  readonly tenant: string;
  readonly webhook: Webhook;
}
/** A delivery that has its body. */
export interface FrozenDelivery extends Delivery {
  readonly body: string;
}

/**
 * Stores the body that all attempts have, before the first one; null when the format has nothing to say of it, or its event turned out to
 * be no cause. Throws Fault `precondition` when another process was faster.
 */
export const freeze = async (
  sending: Sending,
  { id, revision, body: delivery }: StoredRecord<Delivery>,
): Promise<StoredRecord<FrozenDelivery> | null> => {
  if (delivery.body !== null) return { id, revision, body: delivery as FrozenDelivery };
  if (!(await isStillWanted(sending, delivery.outgoing))) return null;
  const { ports, tenant, webhook } = sending;
  const data = await resourceData(ports, tenant, delivery.outgoing);
  const told = formatted(webhook.format, standardBody({ webhook, delivery, data }));
  if (told === null) return null;
  const body: FrozenDelivery = { ...delivery, ...told };
  const options = { expected: revision, expiresAt: expiryOf(delivery, ports.clock.now()) };
  return { id, body, revision: await ports.records.put(tenant, DELIVERY_KINDS.delivery, id, body, options) };
};

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** One signed POST; null when this process stops before it is known what becomes of it. */
export const send = async (
  { ports: { clock, crypto, outbound }, webhook }: Sending,
  delivery: FrozenDelivery,
  signal: AbortSignal,
): Promise<Attempt | null> => {
  const [at, since] = [clock.now(), clock.steady()];
  const request = signedRequest(crypto.hmac, webhook, delivery, at);
  try {
    const { status, ms } = await outbound.post(webhook.url, { ...request, timeoutMs: TIMEOUT_MS, signal });
    return { at, status, ms, error: isSuccess(status) ? null : `status ${status}` };
  } catch (error) {
    if (signal.aborted) return null;
    const { class: failure = 'failed' } = error as Partial<PostFailure>;
    return { at, status: null, ms: Math.round(clock.steady() - since), error: failure };
  }
};
