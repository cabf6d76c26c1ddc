import type { Ports } from '#domain/ports/ports.ts';
import { subscribes } from '#features/webhooks/rules/filter.ts';
import type { ToldKind } from '#features/webhooks/rules/webhook.ts';
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
