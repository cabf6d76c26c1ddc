import { type Command, Option } from 'commander';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { EventReply, EventsReply, ReplyOf } from '#cli/client/replies.ts';
import { ofGroup } from '#cli/commands/find-group.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { counted } from '#cli/terminal/screen.ts';
import { RESOLUTION_CATEGORIES } from '#domain/event/event.ts';
import { slices } from '#domain/slices.ts';
import type { StatusOfManyReply } from '#schemas/http/events/found.ts';
import { type Failure, outcomeText } from './outcome.ts';

interface StatusOptions extends ConnectionOptions {
  readonly note?: string;
  readonly category?: string;
  readonly group?: string;
  readonly filter?: readonly string[];
  readonly expect?: string;
}

type StatusReply = ReplyOf<typeof StatusOfManyReply>;

const PATH = '/api/events/status';
const MAX_IDS = 1_000;
/** Ids that fit into the address of a request. */
const SHOWN_AT_ONCE = 200;

const collected = (value: string, before: string[] = []): string[] => [...before, value];

/** `host=fra1-*`, as in the query of the list. */
const filterOf = (given: readonly string[]): Record<string, string | boolean> =>
  Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^(\w{1,40})=(.+)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw new CliError(`--filter ${text}: expected a filter of GET /api/events, such as host=fra1-*`);
      return [name, value === 'true' || value === 'false' ? value === 'true' : value];
    }),
  );

const whichOf = (ids: readonly string[], { group, filter, expect }: StatusOptions): object => {
  if ([ids.length > 0, group !== undefined, filter !== undefined].filter(Boolean).length !== 1)
    throw new CliError('pass IDs, --group, or --filter with --expect');
  if (ids.length > MAX_IDS) throw new CliError(`at most ${MAX_IDS} events at once — for more: … | xargs -n ${MAX_IDS}`);
  if (group !== undefined) return { correlationId: group };
  if (filter === undefined) return { ids: [...new Set(ids)] };
  if (expect === undefined || !/^\d{1,9}$/.test(expect))
    throw new CliError('--expect: must be the number of matching events (see: faultline events)');
  return { filter: filterOf(filter), expect: Number(expect) };
};

/** Returns the current events, in the order of the ids. */
async function shownEvents(client: Client, ids: readonly string[]): Promise<EventReply[]> {
  const found = new Map<string, EventReply>();
  for (const some of slices(ids, SHOWN_AT_ONCE)) {
    const asked = queryOf({ ids: some.join(','), view: 'row', limit: String(SHOWN_AT_ONCE) });
    for (const event of (await client.get<EventsReply>(`/api/events?${asked}`)).events) found.set(event.eventId, event);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

const failuresOf = ({ failed }: StatusReply): Failure[] =>
  failed.map(({ eventId, error }) => ({ id: eventId, reason: error }));

const countsText = (reply: StatusReply): string =>
  [
    `${counted(reply.matched, 'event')}: ${reply.changed} changed, ${reply.unchanged} unchanged`,
    ...(reply.failed.length === 0 ? [] : [`${reply.failed.length} failed`]),
    ...(reply.queued === 0 ? [] : [`${reply.queued} queued`]),
    ...(reply.more ? ['more events match; run again'] : []),
  ].join(', ');

const sumText = (reply: StatusReply): string =>
  reply.failed.length === 0
    ? countsText(reply)
    : `${countsText(reply)}\n${outcomeText({ changed: [], failed: failuresOf(reply) })}`;

/** Changes the ids, or without any those of the group or the filter of the options. */
async function changeStatus(
  { screen }: CliEnvironment,
  ids: readonly string[],
  status: string,
  options: StatusOptions,
): Promise<void> {
  const client = clientOf(options);
  const { note, category, group } = options;
  const body = { ...whichOf(ids, options), status, notes: note, resolutionCategory: category };
  const asked = client.post<StatusReply>(PATH, body);
  const reply = await (group === undefined ? asked : ofGroup(group, asked));
  if (ids.length === 0) show(screen, options, reply, sumText);
  else {
    const failed = failuresOf(reply);
    const refused = new Set(failed.map(({ id }) => id));
    const changed = await shownEvents(
      client,
      [...new Set(ids)].filter((id) => !refused.has(id)),
    );
    show(screen, options, { changed, failed }, outcomeText);
  }
  if (reply.failed.length > 0) throw new CliError(`${reply.failed.length} of ${reply.matched} events unchanged`);
}

interface Verb {
  readonly verb: string;
  readonly status: string;
  readonly description: string;
}
const VERBS: readonly Verb[] = [
  { verb: 'ack', status: 'acknowledged', description: 'acknowledge events; resolved or suppressed ones only by ID' },
  { verb: 'resolve', status: 'resolved', description: 'resolve events' },
  { verb: 'suppress', status: 'suppressed', description: 'suppress events until changed manually or by their source' },
  { verb: 'reopen', status: 'open', description: 'reopen events' },
];

/** Options of every verb that changes a status. */
const statusOptions = (command: Command, status: string): Command => {
  command.option('--note <text>', 'note for the event history');
  return status === 'resolved'
    ? command.addOption(new Option('--category <category>', 'resolution category').choices(RESOLUTION_CATEGORIES))
    : command;
};

export const addStatus = (event: Command, environment: CliEnvironment): void => {
  for (const { verb, status, description } of VERBS) {
    const command = connected(event.command(verb).argument('[ids...]', `event IDs, up to ${MAX_IDS}`))
      .description(description)
      .option('--group <id>', 'all unresolved events of a group')
      .option('--filter <name=value>', 'filter, for example host=fra1-* (repeatable)', collected)
      .option('--expect <n>', 'maximum number of events the filter may match')
      .action((ids: string[], options: StatusOptions) => changeStatus(environment, ids, status, options));
    statusOptions(command, status);
  }
};
