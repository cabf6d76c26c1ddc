import type { Command } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { DataReply, PageReply, ReplyOf } from '#cli/client/replies.ts';
import { listText } from '#cli/commands/lists.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, moment } from '#cli/terminal/screen.ts';
import { FORMATS } from '#features/webhooks/rules/webhook.ts';
import type {
  DeliveryBody,
  DeliveryDetail,
  ListedWebhook,
  Redelivered,
  WebhookDetail,
} from '#features/webhooks/schemas/deliveries.ts';
import type { WebhookWithSecret } from '#features/webhooks/schemas/webhooks.ts';
import { pause } from '#infra/wait.ts';

type WebhooksReply = PageReply<typeof ListedWebhook>;
type WatchedReply = DataReply<typeof WebhookDetail>;
type SecretReply = DataReply<typeof WebhookWithSecret>;
type DeliveryView = ReplyOf<typeof DeliveryBody>;
type DeliveryReply = DataReply<typeof DeliveryDetail>;
type DeliveriesReply = PageReply<typeof DeliveryBody>;
type RedeliveredReply = DataReply<typeof Redelivered>;

const REASONS: Readonly<Record<string, string>> = { gone: 'off: HTTP 410', failing: 'off: 5 days of failures' };
const stateOf = ({ active, inactive_reason, rests_until }: WebhooksReply['data'][number]): string => {
  if (!active) return REASONS[inactive_reason ?? ''] ?? 'off';
  return rests_until === null ? 'on' : `paused until ${moment(rests_until)}`;
};

const webhooksTable = listText<WebhooksReply['data'][number]>({
  name: 'webhooks',
  columns: ['id', 'name', 'URL', 'events', 'format', 'status'],
  row: (webhook) => [
    webhook.id,
    clip(webhook.name, 30),
    clip(webhook.url, 40),
    clip(webhook.events.join(', '), 40),
    webhook.format,
    stateOf(webhook),
  ],
});

const secretText = ({ data }: SecretReply): string =>
  [
    `Webhook "${data.name}" (${data.id}). Secret (shown once):`,
    '',
    `  ${data.secret ?? ''}`,
    '',
    ...(data.earlier_secret_until === null
      ? []
      : [`The previous secret is valid until ${moment(data.earlier_secret_until)}.`]),
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

const deliveriesTable = listText<DeliveryView>({
  name: 'deliveries',
  columns: ['id', 'created (UTC)', 'event', 'about', 'status', 'attempts', 'last attempt'],
  row: (delivery) => [
    delivery.id,
    moment(delivery.created_at),
    delivery.event,
    nameOf(delivery),
    delivery.status,
    String(delivery.attempts.length),
    outcomeOf(delivery),
  ],
});

const arrived = ({ data }: DeliveryReply): boolean => data.status === 'delivered';

const testedText = (reply: DeliveryReply): string =>
  `${arrived(reply) ? 'Delivered' : 'Not delivered'}: ${outcomeOf(reply.data)} (${reply.data.id}).`;

/** Returns the reason why a test was not sent. */
const untriedText = ({ data: { id, receiver } }: WatchedReply): string =>
  receiver.rests_until === null
    ? 'Not attempted within 10s: no delivery process is running, or the receiver is busy.'
    : `Not attempted: the webhook is paused until ${moment(receiver.rests_until)} after repeated failures. Retry now with: faultline webhook resume ${id}`;

/** `Authorization: Bearer x` for the request. */
const headersFrom = (given: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf(':');
      if (at < 1) throw new CliError(`--header ${text}: expected a name and a value, such as 'X-Team: storage'`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );

interface AddOptions extends ConnectionOptions {
  readonly name: string;
  readonly to: string;
  readonly event: string[];
  readonly header?: string[];
  readonly format?: string;
  readonly replySecret?: string;
  readonly minSeverity?: string;
  readonly onlyCauses?: boolean;
  readonly service?: string[];
  readonly source?: string[];
  readonly tag?: string[];
  readonly ciType?: string[];
}
interface WebhookListOptions extends ConnectionOptions {
  readonly limit: string;
  readonly cursor?: string;
}
interface DeliveriesOptions extends WebhookListOptions {
  readonly status?: string;
  readonly event?: string;
  readonly from?: string;
  readonly to?: string;
}
interface RedeliverOptions extends ConnectionOptions {
  readonly delivery?: string[];
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
}

const PATH = '/api/webhooks';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
const collected = (value: string, before: string[] = []): string[] => [...before, value];

const filterOf = ({ minSeverity, onlyCauses, service, source, tag, ciType }: AddOptions) => {
  const filter = {
    ...(minSeverity && { minSeverity }),
    ...(onlyCauses && { onlyCauses }),
    ...(service && { services: service }),
    ...(source && { sources: source }),
    ...(tag && { tags: tag }),
    ...(ciType && { ciTypes: ciType }),
  };
  return Object.keys(filter).length === 0 ? {} : { filter };
};

const addAdd = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('add'))
    .description('create a webhook; the signing secret is shown once')
    .requiredOption('--name <name>', 'name')
    .requiredOption('--to <url>', 'public HTTP or HTTPS URL')
    .requiredOption(
      '--event <kind>',
      'event kind, for example correlation.created, or * for all (repeatable)',
      collected,
    )
    .option('--format <format>', `format: ${FORMATS.join(', ')}; default: standard`)
    .option('--reply-secret <secret>', 'secret by which Slack or PagerDuty signs replies')
    .option('--header <name: value>', 'extra header (repeatable)', collected)
    .option('--min-severity <severity>', 'minimum severity')
    .option('--only-causes', 'root causes only')
    .option('--service <name>', 'only this service (repeatable)', collected)
    .option('--source <name>', 'only this source (repeatable)', collected)
    .option('--tag <tag>', 'only this tag (repeatable)', collected)
    .option('--ci-type <type>', 'only this CI type (repeatable)', collected)
    .action(async (options: AddOptions) => {
      const { name, to, event, header, format, replySecret } = options;
      const draft = {
        name,
        url: to,
        events: event,
        headers: headersFrom(header),
        ...(format && { format }),
        ...(replySecret && { reply_secret: replySecret }),
        ...filterOf(options),
      };
      show(screen, options, await clientOf(options).post<SecretReply>(PATH, draft), secretText);
    });

const addList = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('list'))
    .description('list webhooks and their status')
    .option('--limit <n>', 'maximum number of results', '20')
    .option('--cursor <cursor>', 'cursor of the next page')
    .action(async (options: WebhookListOptions) => {
      const query = queryOf({ limit: options.limit, cursor: options.cursor });
      show(screen, options, await clientOf(options).get<WebhooksReply>(`${PATH}?${query}`), webhooksTable);
    });

const LOOKS = 40;
const LOOK_MS = 250;

const addTest = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('test').argument('<id>'))
    .description('send a test delivery and wait up to 10s for the result')
    .action(async (id: string, options: ConnectionOptions) => {
      const client = clientOf(options);
      let reply = await client.post<DeliveryReply>(`${pathOf(id)}/test`, undefined);
      for (let looks = 0; reply.data.attempts.length === 0 && looks < LOOKS; looks += 1) {
        await pause(LOOK_MS);
        reply = await client.get<DeliveryReply>(`${pathOf(id)}/deliveries/${reply.data.id}`);
      }
      if (arrived(reply) || options.json) show(screen, options, reply, testedText);
      if (arrived(reply)) return;
      const isTried = reply.data.attempts.length > 0;
      throw new CliError(isTried ? testedText(reply) : untriedText(await client.get<WatchedReply>(pathOf(id))));
    });

const addDeliveries = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('deliveries').argument('<id>'))
    .description('list deliveries, newest first')
    .option('--status <status>', 'status: waiting, delivered, dead or skipped')
    .option('--event <kind>', 'event kind, for example event.created')
    .option('--from <time>', 'created at or after (ISO 8601)')
    .option('--to <time>', 'created at or before (ISO 8601)')
    .option('--limit <n>', 'maximum number of results', '20')
    .option('--cursor <cursor>', 'cursor of the next page')
    .action(async (id: string, options: DeliveriesOptions) => {
      const { status, event, from, to, limit, cursor } = options;
      const path = `${pathOf(id)}/deliveries?${queryOf({ status, event, from, to, limit, cursor })}`;
      show(screen, options, await clientOf(options).get<DeliveriesReply>(path), deliveriesTable);
    });

const addRedeliver = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('redeliver').argument('<id>'))
    .description('redeliver deliveries by ID or time range')
    .option('--delivery <id>', 'delivery ID (repeatable)', collected)
    .option('--status <status>', 'delivery status: dead (default) or delivered')
    .option('--from <time>', 'created at or after (ISO 8601)')
    .option('--to <time>', 'created at or before (ISO 8601)')
    .action(async (id: string, options: RedeliverOptions) => {
      const { delivery, status, from, to } = options;
      const range = { ...(status && { status }), ...(from && { from }), ...(to && { to }) };
      if (delivery && Object.keys(range).length > 0) throw new CliError('pass --delivery or a time range');
      const asked = delivery ? { ids: delivery } : range;
      const reply = await clientOf(options).post<RedeliveredReply>(`${pathOf(id)}/redeliver`, asked);
      show(screen, options, reply, ({ data }) => `${data.message}.`);
    });

const addRotate = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('rotate').argument('<id>'))
    .description('rotate the secret; the previous one stays valid for the grace period')
    .option('--grace <time>', 'grace period, 0h to 7d', '24h')
    .action(async (id: string, options: ConnectionOptions & { readonly grace: string }) => {
      const { grace } = options;
      const reply = await clientOf(options).post<SecretReply>(`${pathOf(id)}/rotate-secret`, { grace });
      show(screen, options, reply, secretText);
    });

const addResume = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('resume').argument('<id>'))
    .description('enable or resume a webhook and send pending deliveries')
    .action(async (id: string, options: ConnectionOptions) => {
      const reply = await clientOf(options).post<WatchedReply>(`${pathOf(id)}/resume`, undefined);
      const text = ({ data }: WatchedReply): string =>
        `Enabled webhook ${id}; ${data.receiver.waiting} deliveries pending.`;
      show(screen, options, reply, text);
    });

const addRemove = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('remove').argument('<id>'))
    .description('delete a webhook')
    .action(async (id: string, options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).delete<object>(pathOf(id)), () => `Deleted webhook ${id}.`),
    );

export const addWebhook = (program: Command, environment: CliEnvironment): void => {
  const webhook = program.command('webhook').description('manage outgoing webhooks');
  for (const add of [addAdd, addList, addTest, addDeliveries, addRedeliver, addRotate, addResume, addRemove])
    add(webhook, environment);
};
