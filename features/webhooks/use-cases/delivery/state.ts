import type { Ports } from '#domain/ports/ports.ts';
import { type Breaker, CLOSED } from '#features/webhooks/rules/breaker.ts';
import { DELIVERY_KINDS } from './records.ts';

/** Recent state of a webhook's receiver. */
export interface WebhookState extends Breaker {
  /** Time in ms; to the minute while deliveries succeed. */
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  /** The first failure since the last success, ms. */
  readonly failingSince: number | null;
}

const UNTRIED: WebhookState = { ...CLOSED, lastSuccessAt: null, lastFailureAt: null, failingSince: null };

export const webhookState = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  webhookId: string,
): Promise<WebhookState> => (await records.get<WebhookState>(tenant, DELIVERY_KINDS.state, webhookId))?.body ?? UNTRIED;

export const putState = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  webhookId: string,
  state: WebhookState,
): Promise<void> => {
  await records.put(tenant, DELIVERY_KINDS.state, webhookId, state);
};
