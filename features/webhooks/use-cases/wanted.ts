import type { Ports } from '#domain/ports/ports.ts';
import { subscribes } from '#features/webhooks/rules/filter.ts';
import { type DeliveryKind, isPushed } from '#features/webhooks/rules/webhook.ts';
import { webhooksOf } from './webhook-store.ts';

/** True if an active webhook of the tenant subscribes to any of these. */
export const isWanted = async (
  ports: Pick<Ports, 'memory' | 'clock'>,
  tenant: string,
  ...kinds: readonly DeliveryKind[]
): Promise<boolean> =>
  (await webhooksOf(ports, tenant)).some(
    (webhook) => webhook.active && !isPushed(webhook) && kinds.some((kind) => subscribes(webhook, kind)),
  );
