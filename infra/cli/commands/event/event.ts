import type { Command } from 'commander';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { EventChangedReply, EventDetailReply } from '#infra/cli/client/replies.ts';
import { type AssignmentOptions, assignmentOf, assignmentOptions } from '#infra/cli/commands/assignment.ts';
import { eventText } from '#infra/cli/commands/event-texts.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { inParallel } from '#infra/wait.ts';
import { addEventList } from './list.ts';
import { type ChangeOutcome, type Failure, outcomeText } from './outcome.ts';
import { addStatus } from './status.ts';

interface ChangeOptions extends ConnectionOptions {
  readonly note?: string;
}
interface AssignOptions extends ChangeOptions, AssignmentOptions {}

type Changed = EventChangedReply['event'];
/** The request that changes an event; it may look at the event first. */
type ChangeOf = (client: Client, id: string) => Promise<EventChangedReply>;

/** As many as the default limit of requests lets through in a minute. */
const MAX_IDS = 100;
const AT_ONCE = 4;

const pathOf = (id: string): string => `/api/events/${encodeURIComponent(id)}`;
const eventOf = async (client: Client, id: string): Promise<Changed> =>
  (await client.get<EventDetailReply>(pathOf(id))).event;

const OF_EVENT: readonly (number | null)[] = [400, 404, 409, 422];

/** Failures caused by the event itself; a credential or a connection concerns all of them. */
const isOfEvent = (error: unknown): error is CliError => error instanceof CliError && OF_EVENT.includes(error.status);

const changeOne = async (client: Client, id: string, changeOf: ChangeOf): Promise<Changed | Failure> => {
  try {
    return (await changeOf(client, id)).event;
  } catch (error) {
    if (!isOfEvent(error)) throw error;
    return { id, reason: error.reason };
  }
};

const isFailure = (one: Changed | Failure): one is Failure => 'reason' in one;

/** A few at a time; what is refused does not keep the others back. Each id once. */
const changeEach = async (client: Client, given: readonly string[], changeOf: ChangeOf): Promise<ChangeOutcome> => {
  const ids = [...new Set(given)];
  if (ids.length > MAX_IDS) throw new CliError(`at most ${MAX_IDS} events at once — for more: … | xargs -n ${MAX_IDS}`);
  const outcomes = new Map<string, Changed | Failure>();
  await inParallel(AT_ONCE, ids.values(), async (id) => outcomes.set(id, await changeOne(client, id, changeOf)));
  const all = ids.flatMap((id) => outcomes.get(id) ?? []);
  return { changed: all.filter((one): one is Changed => !isFailure(one)), failed: all.filter(isFailure) };
};

const changeAll = async (
  { screen }: CliEnvironment,
  ids: readonly string[],
  options: ConnectionOptions,
  changeOf: ChangeOf,
): Promise<void> => {
  const outcome = await changeEach(clientOf(options), ids, changeOf);
  show(screen, options, outcome, outcomeText);
  const { changed, failed } = outcome;
  if (failed.length > 0)
    throw new CliError(`${failed.length} of ${failed.length + changed.length} events are as before`);
};

const changing = (event: Command, verb: string, description: string): Command =>
  connected(event.command(verb).argument('<ids...>', `which, ${MAX_IDS} at most`)).description(description);

const NOTE = 'for the history of the event';

const addAssign = (event: Command, environment: CliEnvironment): Command =>
  assignmentOptions(changing(event, 'assign', 'say who takes care of events; an open one is acknowledged with it'))
    .option('--note <text>', NOTE)
    .action((ids: string[], { note, user, team, ...options }: AssignOptions) => {
      const { user: assignedTo, team: assignedTeam } = assignmentOf({ user, team });
      return changeAll(environment, ids, options, async (client, id) => {
        const { status } = await eventOf(client, id);
        const next = status === 'open' ? 'acknowledged' : status;
        return client.patch(`${pathOf(id)}/status`, { status: next, notes: note, assignedTo, assignedTeam });
      });
    });

const addNote = (event: Command, environment: CliEnvironment): Command =>
  changing(event, 'note', 'note something on events; their status stays')
    .requiredOption('--note <text>', NOTE)
    .action((ids: string[], { note, ...options }: ChangeOptions) =>
      changeAll(environment, ids, options, (client, id) => client.post(`${pathOf(id)}/notes`, { text: note })),
    );

const addShow = (event: Command, { screen }: CliEnvironment): Command =>
  connected(event.command('show').argument('<id>'))
    .description('show an event with its history')
    .action(async (id: string, options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).get<EventDetailReply>(pathOf(id)), eventText),
    );

export const addEvent = (program: Command, environment: CliEnvironment): Command => {
  const event = program.command('event').description('look at events and change them');
  addEventList(event, environment, 'list');
  addShow(event, environment);
  addStatus(event, environment);
  addAssign(event, environment);
  addNote(event, environment);
  return event;
};
