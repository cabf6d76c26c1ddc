import {
  addNamed,
  dropNamed,
  findNamed,
  type NamedKind,
  putNamed,
  type Replacement,
} from '#application/records/named-records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { MAX_WEBHOOKS, WEBHOOK_RECORDS, type Webhook, webhookNameKey } from '#features/webhooks/rules/webhook.ts';
import { KNOWN_WEBHOOKS } from './known-webhooks.ts';

const WEBHOOKS: NamedKind = {
  what: 'webhook',
  kind: WEBHOOK_RECORDS.webhook,
  nameKind: WEBHOOK_RECORDS.name,
  keyOf: webhookNameKey,
  atMost: MAX_WEBHOOKS,
};
type WebhookPorts = Pick<Ports, 'records' | 'memory'>;

/** All webhooks of a tenant, the switched-off ones too; a change in another process counts after 2 s. */
export const webhooksOf = ({ memory, clock }: Pick<Ports, 'memory' | 'clock'>, tenant: string) =>
  memory.of(KNOWN_WEBHOOKS).of(tenant, clock.now());

/** Returns the stored webhook. Throws Fault `not-found`. */
export const findWebhook = (records: RecordStore, tenant: string, id: string): Promise<StoredRecord<Webhook>> =>
  findNamed<Webhook>(records, tenant, WEBHOOKS, id);

/** Throws Fault `conflict` when the name is in use or there are too many webhooks. */
export const addWebhook = async (
  { records, memory }: WebhookPorts,
  tenant: string,
  webhook: Webhook,
  sideRecords: readonly SideRecord[],
): Promise<number> => {
  const revision = await addNamed(records, tenant, WEBHOOKS, webhook, sideRecords);
  memory.of(KNOWN_WEBHOOKS).forget(tenant);
  return revision;
};

/** Throws Fault `conflict` when a new name is in use, `precondition` when the webhook changed meanwhile. */
export const putWebhook = async (
  { records, memory }: WebhookPorts,
  tenant: string,
  replacement: Replacement<Webhook>,
): Promise<number> => {
  const revision = await putNamed(records, tenant, WEBHOOKS, replacement);
  memory.of(KNOWN_WEBHOOKS).forget(tenant);
  return revision;
};

export const dropWebhook = async (
  { records, memory }: WebhookPorts,
  tenant: string,
  webhook: Webhook,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  await dropNamed(records, tenant, WEBHOOKS, webhook, sideRecords);
  memory.of(KNOWN_WEBHOOKS).forget(tenant);
};
