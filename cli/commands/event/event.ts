import type { Command } from 'commander';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { EventChangedReply, EventDetailReply } from '#cli/client/replies.ts';
import { type AssignmentOptions, assignmentOf, assignmentOptions } from '#cli/commands/assignment.ts';
import { eventText } from '#cli/commands/event-texts.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { inParallel } from '#infra/wait.ts';
import { addEventList } from './list.ts';
import { type ChangeOutcome, type Failure, outcomeText } from './outcome.ts';
import { addStatus } from './status.ts';

interface ChangeOptions extends ConnectionOptions {
  readonly note?: string;
}
interface AssignOptions extends ChangeOptions, AssignmentOptions {}

type EventOutcome = EventChangedReply['event'];
/** The request that changes an event; it may read the event first. */
type ChangeOf = (client: Client, id: string) => Promise<EventChangedReply>;

/** The number that the default limit of requests accepts in a minute. */
const MAX_IDS = 100;
const AT_ONCE = 4;

const pathOf = (id: string): string => `/api/events/${encodeURIComponent(id)}`;
const eventOf = async (client: Client, id: string): Promise<EventOutcome> =>
  (await client.get<EventDetailReply>(pathOf(id))).event;

const OF_EVENT: readonly (number | null)[] = [400, 404, 409, 422];

/** Failures caused by the event itself; a credential or a connection concerns all of them. */
const isOfEvent = (error: unknown): error is CliError => error instanceof CliError && OF_EVENT.includes(error.status);

const changeOne = async (client: Client, id: string, changeOf: ChangeOf): Promise<EventOutcome | Failure> => {
  try {
    return (await changeOf(client, id)).event;
  } catch (error) {
    if (!isOfEvent(error)) throw error;
    return { id, reason: error.reason };
  }
};

const isFailure = (one: EventOutcome | Failure): one is Failure => 'reason' in one;

/** A few at a time; a refused one does not block the others. Each id once. */
const changeEach = async (client: Client, given: readonly string[], changeOf: ChangeOf): Promise<ChangeOutcome> => {
  const ids = [...new Set(given)];
  if (ids.length > MAX_IDS) throw new CliError(`at most ${MAX_IDS} events at once — for more: … | xargs -n ${MAX_IDS}`);
  const outcomes = new Map<string, EventOutcome | Failure>();
  await inParallel(AT_ONCE, ids.values(), async (id) => outcomes.set(id, await changeOne(client, id, changeOf)));
  const all = ids.flatMap((id) => outcomes.get(id) ?? []);
  return { changed: all.filter((one): one is EventOutcome => !isFailure(one)), failed: all.filter(isFailure) };
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
  if (failed.length > 0) throw new CliError(`${failed.length} of ${failed.length + changed.length} events unchanged`);
};

const changing = (event: Command, verb: string, description: string): Command =>
  connected(event.command(verb).argument('<ids...>', `event IDs, up to ${MAX_IDS}`)).description(description);

const NOTE = 'note for the event history';

const addAssign = (event: Command, environment: CliEnvironment): Command =>
  assignmentOptions(changing(event, 'assign', 'assign events; open events are acknowledged'))
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
  changing(event, 'note', 'add a note to events')
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
  const event = program.command('event').description('view and update events');
  addEventList(event, environment, 'list');
  addShow(event, environment);
  addStatus(event, environment);
  addAssign(event, environment);
  addNote(event, environment);
  return event;
};
