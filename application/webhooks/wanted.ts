import type { Ports } from '#domain/ports/ports.ts';
import { subscribes } from '#domain/webhooks/filter.ts';
import type { ToldKind } from '#domain/webhooks/webhook.ts';
import { webhooksOf } from './webhook-store.ts';

/** Whether an active webhook of the tenant wants to be told any of these. */
export const isWanted = async (
  ports: Pick<Ports, 'memory' | 'clock'>,
  tenant: string,
  ...kinds: readonly ToldKind[]
): Promise<boolean> =>
  (await webhooksOf(ports, tenant)).some(
    (webhook) => webhook.active && kinds.some((kind) => subscribes(webhook, kind)),
  );
