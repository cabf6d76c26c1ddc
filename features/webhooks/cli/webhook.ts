import type { Command } from 'commander';
import { CliError } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { pause } from '#infra/wait.ts';
import {
  arrived,
  type DeliveriesReply,
  type DeliveryReply,
  deliveriesTable,
  headersFrom,
  type RedeliveredReply,
  type SecretReply,
  secretText,
  testedText,
  untriedText,
  type WatchedReply,
  type WebhooksReply,
  webhooksTable,
} from './webhook-texts.ts';

interface AddOptions extends ConnectionOptions {
  readonly name: string;
  readonly to: string;
  readonly event: string[];
  readonly header?: string[];
  readonly format?: string;
  readonly minSeverity?: string;
  readonly onlyCauses?: boolean;
  readonly service?: string[];
  readonly source?: string[];
  readonly tag?: string[];
  readonly ciType?: string[];
}
interface ListOptions extends ConnectionOptions {
  readonly limit: string;
  readonly cursor?: string;
}
interface DeliveriesOptions extends ListOptions {
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
    .description('send changes to an address; the secret that signs them is shown once')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--to <url>', 'a public http or https address')
    .requiredOption('--event <kind>', 'such as correlation.created, or * for all; several times for several', collected)
    .option('--format <format>', 'standard (default), slack, teams or pagerduty')
    .option('--header <name: value>', 'sent along; several times for several', collected)
    .option('--min-severity <severity>', 'nothing below it')
    .option('--only-causes', 'of a group the likely cause alone')
    .option('--service <name>', 'only of this service; several times for several', collected)
    .option('--source <name>', 'only of this source; several times for several', collected)
    .option('--tag <tag>', 'only with this tag; several times for several', collected)
    .option('--ci-type <type>', 'only about CIs of this type; several times for several', collected)
    .action(async (options: AddOptions) => {
      const { name, to, event, header, format } = options;
      const draft = {
        name,
        url: to,
        events: event,
        headers: headersFrom(header),
        ...(format && { format }),
        ...filterOf(options),
      };
      show(screen, options, await clientOf(options).post<SecretReply>(PATH, draft), secretText);
    });

const addList = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('list'))
    .description('list the webhooks and whether they are on')
    .option('--limit <n>', 'how many', '20')
    .option('--cursor <cursor>', 'go on where a list ended')
    .action(async (options: ListOptions) => {
      const query = queryOf({ limit: options.limit, cursor: options.cursor });
      show(screen, options, await clientOf(options).get<WebhooksReply>(`${PATH}?${query}`), webhooksTable);
    });

const LOOKS = 40;
const LOOK_MS = 250;

const addTest = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('test').argument('<id>'))
    .description('send a test, and wait up to 10 s for what becomes of it; fails when it does not arrive')
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
    .description('list what was sent and what became of it, newest first')
    .option('--status <status>', 'waiting, delivered, dead or skipped')
    .option('--event <kind>', 'such as event.created')
    .option('--from <time>', 'made then or later')
    .option('--to <time>', 'made then or earlier')
    .option('--limit <n>', 'how many', '20')
    .option('--cursor <cursor>', 'go on where a list ended')
    .action(async (id: string, options: DeliveriesOptions) => {
      const { status, event, from, to, limit, cursor } = options;
      const path = `${pathOf(id)}/deliveries?${queryOf({ status, event, from, to, limit, cursor })}`;
      show(screen, options, await clientOf(options).get<DeliveriesReply>(path), deliveriesTable);
    });

const addRedeliver = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('redeliver').argument('<id>'))
    .description('send deliveries again: those named, or the dead ones of a range')
    .option('--delivery <id>', 'one delivery; several times for several', collected)
    .option('--status <status>', 'dead (default) or delivered')
    .option('--from <time>', 'made then or later')
    .option('--to <time>', 'made then or earlier')
    .action(async (id: string, options: RedeliverOptions) => {
      const { delivery, status, from, to } = options;
      const range = { ...(status && { status }), ...(from && { from }), ...(to && { to }) };
      if (delivery && Object.keys(range).length > 0) throw new CliError('name either --delivery or a range');
      const asked = delivery ? { ids: delivery } : range;
      const reply = await clientOf(options).post<RedeliveredReply>(`${pathOf(id)}/redeliver`, asked);
      show(screen, options, reply, ({ data }) => `${data.message}.`);
    });

const addRotate = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('rotate').argument('<id>'))
    .description('give a webhook a new secret; the one before it signs, too, for the grace')
    .option('--grace <time>', '0h to 7d', '24h')
    .action(async (id: string, options: ConnectionOptions & { readonly grace: string }) => {
      const { grace } = options;
      const reply = await clientOf(options).post<SecretReply>(`${pathOf(id)}/rotate-secret`, { grace });
      show(screen, options, reply, secretText);
    });

const addResume = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('resume').argument('<id>'))
    .description('switch a webhook on and end its rest; what waits is sent now')
    .action(async (id: string, options: ConnectionOptions) => {
      const reply = await clientOf(options).post<WatchedReply>(`${pathOf(id)}/resume`, undefined);
      const text = ({ data }: WatchedReply): string => `Webhook ${id} is on; ${data.receiver.waiting} deliveries wait.`;
      show(screen, options, reply, text);
    });

const addRemove = (webhook: Command, { screen }: CliEnvironment): Command =>
  connected(webhook.command('remove').argument('<id>'))
    .description('send nothing to it any more')
    .action(async (id: string, options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).delete<object>(pathOf(id)), () => `Webhook ${id} is removed.`),
    );

export const addWebhook = (program: Command, environment: CliEnvironment): void => {
  const webhook = program.command('webhook').description('addresses outside that are told of changes');
  for (const add of [addAdd, addList, addTest, addDeliveries, addRedeliver, addRotate, addResume, addRemove])
    add(webhook, environment);
};
