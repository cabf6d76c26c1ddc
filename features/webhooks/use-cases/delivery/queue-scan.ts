import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { WEBHOOK_RECORDS } from '#features/webhooks/rules/webhook.ts';
import { DELIVERY_KINDS, type Due, firstOf, lastOf } from './records.ts';

/** The first due record of every webhook that has one: one look per webhook, however many wait. */
export async function* firstDues({ records }: Pick<Ports, 'records'>): AsyncGenerator<Due> {
  let after: string | null = null;
  for (;;) {
    const options = { limit: 1, ...(after !== null && { after }) };
    const [first] = await records.list<Due>(SYSTEM_TENANT, DELIVERY_KINDS.due, options);
    if (first === undefined) return;
    yield first.body;
    after = lastOf(first.body.webhookId);
  }
}

const CHUNK = 500;

/** Forgets what waits for a webhook that was removed. */
export const dropQueue = async (
  { records }: Pick<Ports, 'records'>,
  { tenant, webhookId }: Due,
  isStopping: () => boolean,
): Promise<void> => {
  if ((await records.get(tenant, WEBHOOK_RECORDS.webhook, webhookId)) !== null) return;
  const options = { after: firstOf(webhookId), limit: CHUNK };
  for (let more = true; more && !isStopping(); ) {
    const chunk = await records.list<Due>(SYSTEM_TENANT, DELIVERY_KINDS.due, options);
    const own = chunk.filter(({ body }) => body.webhookId === webhookId);
    await Promise.all(
      own.flatMap(({ id, body }) => [
        records.remove(tenant, DELIVERY_KINDS.delivery, body.deliveryId),
        records.remove(SYSTEM_TENANT, DELIVERY_KINDS.due, id),
      ]),
    );
    more = own.length === CHUNK;
  }
  await records.remove(tenant, DELIVERY_KINDS.state, webhookId);
};
