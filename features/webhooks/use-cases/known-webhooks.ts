import { everyRecord } from '#application/records/list-records.ts';
import type { KnownByTenant } from '#domain/lru.ts';
import { knownByTenant } from '#domain/lru.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import { WEBHOOK_RECORDS, type Webhook } from '#features/webhooks/rules/webhook.ts';

/** Maximum delay of a change of webhooks in another process; ms. */
const WEBHOOKS_TTL_MS = 2_000;

/** All webhooks of a tenant, the switched-off ones too. */
export const KNOWN_WEBHOOKS: MemorySlot<KnownByTenant<readonly Webhook[]>> = {
  name: 'webhooks',
  open: (records) =>
    knownByTenant(WEBHOOKS_TTL_MS, (tenant) => everyRecord<Webhook>(records, tenant, WEBHOOK_RECORDS.webhook)),
};
