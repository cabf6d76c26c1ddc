import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { revise } from '#application/records/revise.ts';
import { parseOverlap } from '#domain/access/expiry.ts';
import { invalid } from '#domain/fault.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import { sameJson } from '#domain/same-json.ts';
import { rotatedSecrets, SECRET_CHARACTERS, secretOf } from '#features/webhooks/rules/secret.ts';
import { keptAddress, wholeAddress } from '#features/webhooks/rules/shown-address.ts';
import { TRACKERS } from '#features/webhooks/rules/tickets/trackers.ts';
import { ALERTS_PATH, isPushed, ROUTING_KEY_HEADER, type Webhook } from '#features/webhooks/rules/webhook.ts';
import {
  type NewWebhookInput,
  type WebhookReplacementInput,
  webhookFacts,
} from '#features/webhooks/schemas/webhooks.ts';
import { addWebhook, dropWebhook, findWebhook, putWebhook } from './webhook-store.ts';

export type StoredWebhook = Pick<StoredRecord<Webhook>, 'body' | 'revision'>;
/** A webhook with the secret, which is shown once. */
export interface SecretWebhook extends StoredWebhook {
  readonly secret: string;
}

/** The address may be called, and PagerDuty's key is there. */
const requireSendable = ({ ports }: UseCaseContext, { url, format, headers }: Webhook): void => {
  const refusal = ports.outbound.refusal(url);
  if (refusal !== null) throw invalid('url', refusal);
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (format === 'pagerduty' && !names.includes(ROUTING_KEY_HEADER))
    throw invalid('headers', 'expected X-Routing-Key with the PagerDuty integration key');
  if (isPushed({ format }) && !new URL(url).pathname.endsWith(ALERTS_PATH))
    throw invalid('url', `expected the address of Alertmanager, ending with ${ALERTS_PATH}`);
  const wrong = TRACKERS[format]?.refusal(new URL(url)) ?? null;
  if (wrong !== null) throw invalid('url', wrong);
};

const partsOf = ({ name, url, events, active, format, filter }: Omit<NewWebhookInput, 'headers'>) => ({
  name,
  url,
  events: [...new Set(events)],
  active,
  format,
  filter: filter as Webhook['filter'],
});
const newSecret = ({ ports }: UseCaseContext): string => secretOf(ports.ids.secret(SECRET_CHARACTERS));

export const createWebhook = async (context: UseCaseContext, input: NewWebhookInput): Promise<SecretWebhook> => {
  const { tenant, ports, receivedAt: at } = context;
  const secret = newSecret(context);
  const webhook: Webhook = {
    id: `WHK-${ports.ids.ulid()}`,
    ...partsOf(input),
    url: wholeAddress(input.url),
    headers: input.headers,
    inactiveReason: null,
    ...(input.reply_secret && { replySecret: input.reply_secret }),
    secrets: [{ value: secret, until: null }],
    createdAt: at,
    updatedAt: at,
  };
  requireSendable(context, webhook);
  const target = { kind: 'webhook', id: webhook.id };
  const entry = audited(context, { action: 'webhook.created', target, before: null, after: webhookFacts(webhook) });
  return { body: webhook, revision: await addWebhook(ports, tenant, webhook, [entry]), secret };
};

/** Writes the result of `change` on a webhook, with its entry in the audit trail. */
export const rewriteWebhook = async (
  context: UseCaseContext,
  id: string,
  action: string,
  change: (before: Webhook) => Webhook,
): Promise<StoredWebhook> => {
  const { tenant, ports, ifMatch, receivedAt } = context;
  const { after } = await revise<StoredWebhook>(ports, {
    of: ['webhook', tenant, id],
    ifMatch,
    load: () => findWebhook(ports.records, tenant, id),
    change(stored) {
      const body = change(stored.body);
      if (sameJson(stored.body, body)) return stored;
      return { body: { ...body, updatedAt: receivedAt }, revision: stored.revision + 1 };
    },
    put({ body: next }, { body: last, revision: expected }) {
      const seen = { before: webhookFacts(last), after: webhookFacts(next) };
      const entry = audited(context, { action, target: { kind: 'webhook', id }, ...seen });
      return putWebhook(ports, tenant, { before: last, after: next, expected, sideRecords: [entry] });
    },
  });
  return after;
};

export interface WebhookChange {
  readonly id: string;
  readonly input: WebhookReplacementInput;
}

/** The whole registration becomes this one; id and secrets stay, and headers that are not named. */
export const replaceWebhook = (context: UseCaseContext, { id, input }: WebhookChange): Promise<StoredWebhook> =>
  rewriteWebhook(context, id, 'webhook.updated', (before) => {
    const { headers = before.headers, ...parts } = input;
    const inactiveReason = parts.active ? null : before.inactiveReason;
    const { reply_secret: replySecret = before.replySecret } = input;
    const after: Webhook = {
      ...before,
      ...partsOf(parts),
      url: keptAddress(before, parts),
      headers,
      inactiveReason,
      ...(replySecret !== undefined && { replySecret }),
    };
    requireSendable(context, after);
    return after;
  });

export interface SecretChange {
  readonly id: string;
  /** `<n>` s|m|h|d|w, at most 7d. */
  readonly grace: string;
}

/** A new secret signs from now on, the one before it for the grace, too. */
export const rotateSecret = async (context: UseCaseContext, { id, grace }: SecretChange): Promise<SecretWebhook> => {
  const graceMs = parseOverlap(grace, 'grace');
  const secret = newSecret(context);
  const now = context.ports.clock.now();
  const stored = await rewriteWebhook(context, id, 'webhook.rotated', (before) => ({
    ...before,
    secrets: rotatedSecrets(before.secrets, secret, now + graceMs, now),
  }));
  return { ...stored, secret };
};

export const removeWebhook = async (context: UseCaseContext, id: string): Promise<void> => {
  const { tenant, ports, ifMatch } = context;
  const { body, revision } = await findWebhook(ports.records, tenant, id);
  requireMatch(ifMatch, revision);
  const target = { kind: 'webhook', id };
  const entry = audited(context, { action: 'webhook.deleted', target, before: webhookFacts(body), after: null });
  await dropWebhook(ports, tenant, body, [entry]);
};
