import type { Ports } from '#domain/ports/ports.ts';
import type { Outgoing, Webhook } from '#features/webhooks/rules/webhook.ts';
import { subjectsOf } from '#features/webhooks/use-cases/resources/subjects.ts';
import { resourceOf } from './records.ts';

/** Time after which it is nearly always decided if an event is in a group, ms. */
const DECIDED_MS = 2_000;

const isJudged = ({ filter }: Pick<Webhook, 'filter'>, { resource }: Outgoing): boolean =>
  filter?.onlyCauses === true && resource.kind === 'event';

/** Returns the earliest time of the first attempt, ms: whether an event is a cause is judged again then. */
export const firstAttemptAt = (webhook: Pick<Webhook, 'filter'>, outgoing: Outgoing, now: number): number =>
  isJudged(webhook, outgoing) ? now + DECIDED_MS : now;

interface WebhookScope {
  readonly ports: Ports;
  readonly tenant: string;
  readonly webhook: Pick<Webhook, 'filter'>;
}

/** False for the event of a group whose cause is another one by now, where the webhook asks for causes alone. */
export const isStillWanted = async ({ ports, tenant, webhook }: WebhookScope, outgoing: Outgoing): Promise<boolean> => {
  if (!isJudged(webhook, outgoing)) return true;
  const subjects = await subjectsOf(ports, tenant, [outgoing]);
  return subjects.get(resourceOf(outgoing))?.isCause === true;
};
