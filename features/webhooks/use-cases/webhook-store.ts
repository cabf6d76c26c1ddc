import { namedStore } from '#application/records/named-records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { MAX_WEBHOOKS, WEBHOOK_RECORDS, type Webhook, webhookNameKey } from '#features/webhooks/rules/webhook.ts';
import { KNOWN_WEBHOOKS } from './known-webhooks.ts';

/** All webhooks of a tenant, the switched-off ones too; a change in another process counts after 2 s. */
export const webhooksOf = ({ memory, clock }: Pick<Ports, 'memory' | 'clock'>, tenant: string) =>
  memory.of(KNOWN_WEBHOOKS).of(tenant, clock.now());

export const {
  find: findWebhook,
  add: addWebhook,
  put: putWebhook,
  drop: dropWebhook,
} = namedStore<Webhook>(
  {
    what: 'webhook',
    kind: WEBHOOK_RECORDS.webhook,
    nameKind: WEBHOOK_RECORDS.name,
    keyOf: webhookNameKey,
    atMost: MAX_WEBHOOKS,
  },
  (memory, tenant) => memory.of(KNOWN_WEBHOOKS).forget(tenant),
);
