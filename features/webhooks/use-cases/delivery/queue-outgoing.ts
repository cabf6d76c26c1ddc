import type { Ports } from '#domain/ports/ports.ts';
import { deliveryIdOf } from '#features/webhooks/rules/delivery-id.ts';
import { matches, subscribes } from '#features/webhooks/rules/filter.ts';
import { type FilterSubject, isPushed, type Outgoing, type Webhook } from '#features/webhooks/rules/webhook.ts';
import { subjectsOf } from '#features/webhooks/use-cases/resources/subjects.ts';
import { webhooksOf } from '#features/webhooks/use-cases/webhook-store.ts';
import { firstAttemptAt } from './judge.ts';
import { addDelivery } from './put-delivery.ts';
import { DELIVER, newDelivery, resourceOf } from './records.ts';
import { noteOverflow, takeRoom } from './room.ts';

/** Maximum of concurrent puts. */
const AT_ONCE = 500;

const isTold = (webhook: Webhook, outgoing: Outgoing, subject: FilterSubject = {}): boolean =>
  subscribes(webhook, outgoing.kind) && (outgoing.resource.kind === 'report' || matches(webhook.filter, subject));

const queueFor = async (ports: Ports, tenant: string, webhook: Webhook, told: readonly Outgoing[]): Promise<void> => {
  const room = await takeRoom(ports, webhook, told.length);
  const now = ports.clock.now();
  for (let from = 0; from < room; from += AT_ONCE)
    await Promise.all(
      told.slice(from, Math.min(room, from + AT_ONCE)).map((outgoing) => {
        const id = deliveryIdOf(ports.crypto.sha256, webhook, outgoing);
        const at = firstAttemptAt(webhook, outgoing, now);
        return addDelivery(ports, tenant, newDelivery(webhook, id, outgoing, { now, at }));
      }),
    );
  if (room < told.length) await noteOverflow(ports, tenant, webhook, told.slice(room));
};

/**
 * Creates a delivery for every active webhook of the tenant that subscribes to it. A repeated call makes no second
 * delivery. A tenant without webhooks costs one look into memory.
 */
export const queueOutgoing = async (ports: Ports, tenant: string, outgoing: readonly Outgoing[]): Promise<void> => {
  if (outgoing.length === 0) return;
  const active = (await webhooksOf(ports, tenant)).filter((webhook) => webhook.active && !isPushed(webhook));
  const wanted = outgoing.filter(({ kind }) => active.some((webhook) => subscribes(webhook, kind)));
  if (wanted.length === 0) return;
  const isFiltered = active.some(({ filter }) => filter !== null);
  const subjects = isFiltered ? await subjectsOf(ports, tenant, wanted) : new Map<string, FilterSubject>();
  for (const webhook of active) {
    const told = wanted.filter((one) => isTold(webhook, one, subjects.get(resourceOf(one))));
    if (told.length > 0) await queueFor(ports, tenant, webhook, told);
  }
  ports.background.ring(DELIVER);
};
