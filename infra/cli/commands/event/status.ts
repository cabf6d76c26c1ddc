import { type Command, Option } from 'commander';
import { RESOLUTION_CATEGORIES } from '#domain/event/event.ts';
import { slices } from '#domain/slices.ts';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import type { EventReply, EventsReply, ReplyOf } from '#infra/cli/client/replies.ts';
import { ofGroup } from '#infra/cli/commands/find-group.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { counted } from '#infra/cli/terminal/screen.ts';
import type { StatusOfManyReply } from '#schemas/http/events/found.ts';
import { type Failure, outcomeText } from './outcome.ts';

interface StatusOptions extends ConnectionOptions {
  readonly note?: string;
  readonly category?: string;
  readonly group?: string;
  readonly filter?: readonly string[];
  readonly expect?: string;
}

type Reply = ReplyOf<typeof StatusOfManyReply>;

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
    throw new CliError('name either ids, or --group, or --filter with --expect');
  if (ids.length > MAX_IDS) throw new CliError(`at most ${MAX_IDS} events at once — for more: … | xargs -n ${MAX_IDS}`);
  if (group !== undefined) return { correlationId: group };
  if (filter === undefined) return { ids: [...new Set(ids)] };
  if (expect === undefined || !/^\d{1,9}$/.test(expect))
    throw new CliError('--expect: expected the number of events that the filter finds; faultline events tells it');
  return { filter: filterOf(filter), expect: Number(expect) };
};

/** As they are now, in the order of the ids. */
async function shownEvents(client: Client, ids: readonly string[]): Promise<EventReply[]> {
  const found = new Map<string, EventReply>();
  for (const some of slices(ids, SHOWN_AT_ONCE)) {
    const asked = queryOf({ ids: some.join(','), view: 'row', limit: String(SHOWN_AT_ONCE) });
    for (const event of (await client.get<EventsReply>(`/api/events?${asked}`)).events) found.set(event.eventId, event);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

const failuresOf = ({ failed }: Reply): Failure[] =>
  failed.map(({ eventId, error }) => ({ id: eventId, reason: error }));

const countsText = (reply: Reply): string =>
  [
    `${counted(reply.matched, 'event')}: ${reply.changed} changed, ${reply.unchanged} as before`,
    ...(reply.failed.length === 0 ? [] : [`${reply.failed.length} refused`]),
    ...(reply.queued === 0 ? [] : [`${reply.queued} on their way`]),
    ...(reply.more ? ['there are more: say it again'] : []),
  ].join(', ');

const sumText = (reply: Reply): string =>
  reply.failed.length === 0
    ? countsText(reply)
    : `${countsText(reply)}\n${outcomeText({ changed: [], failed: failuresOf(reply) })}`;

/** Of the ids, or without any of the group or the filter of the options. */
async function changeStatus(
  { screen }: CliEnvironment,
  ids: readonly string[],
  status: string,
  options: StatusOptions,
): Promise<void> {
  const client = clientOf(options);
  const { note, category, group } = options;
  const body = { ...whichOf(ids, options), status, notes: note, resolutionCategory: category };
  const asked = client.post<Reply>(PATH, body);
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
  if (reply.failed.length > 0) throw new CliError(`${reply.failed.length} of ${reply.matched} events are as before`);
}

interface Verb {
  readonly verb: string;
  readonly status: string;
  readonly description: string;
}
const VERBS: readonly Verb[] = [
  { verb: 'ack', status: 'acknowledged', description: 'acknowledge events; by id resolved or suppressed ones, too' },
  { verb: 'resolve', status: 'resolved', description: 'resolve events' },
  {
    verb: 'suppress',
    status: 'suppressed',
    description: 'suppress events until a person or their monitor says otherwise',
  },
  { verb: 'reopen', status: 'open', description: 'open events again, whatever they are' },
];

/** Options of every verb that changes a status. */
const statusOptions = (command: Command, status: string): Command => {
  command.option('--note <text>', 'for the history of the events');
  return status === 'resolved'
    ? command.addOption(new Option('--category <category>', 'how it ended').choices(RESOLUTION_CATEGORIES))
    : command;
};

export const addStatus = (event: Command, environment: CliEnvironment): void => {
  for (const { verb, status, description } of VERBS) {
    const command = connected(event.command(verb).argument('[ids...]', `which, ${MAX_IDS} at most`))
      .description(description)
      .option('--group <id>', 'all of a group, but those that are over')
      .option('--filter <name=value>', 'all that are found, such as host=fra1-*; several times for several', collected)
      .option('--expect <n>', 'how many the filter finds at most')
      .action((ids: string[], options: StatusOptions) => changeStatus(environment, ids, status, options));
    statusOptions(command, status);
  }
};
