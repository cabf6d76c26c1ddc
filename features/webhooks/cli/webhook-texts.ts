import type {
  DeliveryBody,
  DeliveryDetail,
  ListedWebhook,
  Redelivered,
  WebhookDetail,
} from '#features/webhooks/schemas/deliveries.ts';
import type { WebhookWithSecret } from '#features/webhooks/schemas/webhooks.ts';
import { CliError } from '#infra/cli/client/client.ts';
import type { DataReply, Paged, PageReply, ReplyOf } from '#infra/cli/client/replies.ts';
import { clip, moment, tableOf } from '#infra/cli/terminal/screen.ts';

export type WebhooksReply = PageReply<typeof ListedWebhook>;
export type WatchedReply = DataReply<typeof WebhookDetail>;
export type SecretReply = DataReply<typeof WebhookWithSecret>;
type DeliveryView = ReplyOf<typeof DeliveryBody>;
export type DeliveryReply = DataReply<typeof DeliveryDetail>;
export type DeliveriesReply = PageReply<typeof DeliveryBody>;
export type RedeliveredReply = DataReply<typeof Redelivered>;

const REASONS: Readonly<Record<string, string>> = { gone: 'off: it answered 410', failing: 'off: 5 days of failures' };
const stateOf = ({ active, inactive_reason, rests_until }: WebhooksReply['data'][number]): string => {
  if (!active) return REASONS[inactive_reason ?? ''] ?? 'off';
  return rests_until === null ? 'on' : `rests until ${moment(rests_until)}`;
};

const tableWith = (
  what: string,
  titles: readonly string[],
  { data, pagination }: Paged & { readonly data: readonly unknown[] },
  rows: readonly (readonly string[])[],
): string => {
  if (data.length === 0) return `No ${what}.`;
  const more = pagination.nextCursor ? `; go on with --cursor ${pagination.nextCursor}` : '';
  const columns = titles.map((title) => ({ title }));
  return `${tableOf(columns, rows)}\n${data.length} of ${pagination.total} ${what}${more}`;
};

export const webhooksTable = (reply: WebhooksReply): string =>
  tableWith(
    'webhooks',
    ['id', 'name', 'address', 'events', 'format', 'state'],
    reply,
    reply.data.map((webhook) => [
      webhook.id,
      clip(webhook.name, 30),
      clip(webhook.url, 40),
      clip(webhook.events.join(', '), 40),
      webhook.format,
      stateOf(webhook),
    ]),
  );

export const secretText = ({ data }: SecretReply): string =>
  [
    `Webhook "${data.name}" (${data.id}). Its secret is shown this once:`,
    '',
    `  ${data.secret ?? ''}`,
    '',
    ...(data.earlier_secret_until === null
      ? []
      : [`The secret before it signs, too, until ${moment(data.earlier_secret_until)}.`]),
    `Try it: faultline webhook test ${data.id}`,
  ].join('\n');

const outcomeOf = ({ attempts, status, next_attempt_at }: DeliveryView): string => {
  const last = attempts.at(-1);
  if (last === undefined) return status === 'skipped' ? 'not sent' : 'not tried yet';
  const said = last.error ?? `status ${last.status}`;
  const next = status === 'waiting' && next_attempt_at !== null ? `, again at ${moment(next_attempt_at)}` : '';
  return `${said} in ${Math.round(last.ms)} ms${next}`;
};

const nameOf = ({ resource: { id, name } }: DeliveryView): string => (name === null ? id : clip(name, 40));

export const deliveriesTable = (reply: DeliveriesReply): string =>
  tableWith(
    'deliveries',
    ['id', 'made (UTC)', 'event', 'about', 'status', 'tries', 'last try'],
    reply,
    reply.data.map((delivery) => [
      delivery.id,
      moment(delivery.created_at),
      delivery.event,
      nameOf(delivery),
      delivery.status,
      String(delivery.attempts.length),
      outcomeOf(delivery),
    ]),
  );

export const arrived = ({ data }: DeliveryReply): boolean => data.status === 'delivered';

export const testedText = (reply: DeliveryReply): string =>
  `${arrived(reply) ? 'It arrived' : 'It did not arrive'}: ${outcomeOf(reply.data)} (${reply.data.id}).`;

/** Why a test was not even tried. */
export const untriedText = ({ data: { id, receiver } }: WatchedReply): string =>
  receiver.rests_until === null
    ? 'It was not tried within 10 s: no process delivers, or the receiver is busy with others.'
    : `It was not tried: the webhook rests until ${moment(receiver.rests_until)}, as too many deliveries failed. faultline webhook resume ${id} tries at once.`;

/** `Authorization: Bearer x` for the request. */
export const headersFrom = (given: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf(':');
      if (at < 1) throw new CliError(`--header ${text}: expected a name and a value, such as 'X-Team: storage'`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
