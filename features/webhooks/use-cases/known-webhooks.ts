import { everyRecord } from '#application/records/list-records.ts';
import type { KnownByTenant } from '#domain/lru.ts';
import { knownByTenant } from '#domain/lru.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { WEBHOOK_RECORDS, type Webhook } from '#features/webhooks/rules/webhook.ts';

/** How long a change of webhooks in another process may go unseen; ms. */
const WEBHOOKS_TTL_MS = 2_000;

export const openWebhooks = (records: RecordStore): KnownByTenant<readonly Webhook[]> =>
  knownByTenant(WEBHOOKS_TTL_MS, (tenant) => everyRecord<Webhook>(records, tenant, WEBHOOK_RECORDS.webhook));
