import { type Command, Option } from 'commander';
import { RESOLUTION_CATEGORIES } from '#domain/event/event.ts';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { EventChangedReply, EventDetailReply } from '#infra/cli/client/replies.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { clip, tableOf } from '#infra/cli/terminal/screen.ts';
import { assigneeOf, eventText, titleOf } from './event-texts.ts';

interface ChangeOptions extends ConnectionOptions {
  readonly note?: string;
  readonly category?: string;
}
interface AssignOptions extends ChangeOptions {
  /** False: nobody. */
  readonly user?: string | false;
  readonly team?: string | false;
}

type Changed = EventChangedReply['event'];
interface Failure {
  readonly id: string;
  readonly reason: string;
}
interface Outcome {
  readonly changed: readonly Changed[];
  readonly failed: readonly Failure[];
}
type Body = Readonly<Record<string, unknown>>;
/** The body of the PATCH that changes an event; it may look at the event first. */
type BodyFor = (client: Client, id: string) => Promise<Body>;

/** As many as the default limit of requests lets through in a minute. */
const MAX_IDS = 100;
const AT_ONCE = 4;

const pathOf = (id: string): string => `/api/events/${encodeURIComponent(id)}`;
const eventOf = async (client: Client, id: string): Promise<Changed> =>
  (await client.get<EventDetailReply>(pathOf(id))).event;

/** The interface could do it, with an effect that was not asked for. */
class NotAllowed extends CliError {}

const OF_EVENT: readonly (number | null)[] = [400, 404, 409, 422];

/** What the event itself is the reason for; a credential or a connection concerns all of them. */
const isOfEvent = (error: unknown): error is CliError =>
  error instanceof NotAllowed || (error instanceof CliError && OF_EVENT.includes(error.status));

const changeOne = async (client: Client, id: string, bodyFor: BodyFor): Promise<Changed | Failure> => {
  try {
    const body = await bodyFor(client, id);
    return (await client.patch<EventChangedReply>(`${pathOf(id)}/status`, body)).event;
  } catch (error) {
    if (!isOfEvent(error)) throw error;
    return { id, reason: error.reason };
  }
};

const isFailure = (one: Changed | Failure): one is Failure => 'reason' in one;

/** A few at a time; what is refused does not keep the others back. Each id once. */
const changeEach = async (client: Client, given: readonly string[], bodyFor: BodyFor): Promise<Outcome> => {
  const ids = [...new Set(given)];
  if (ids.length > MAX_IDS) throw new CliError(`at most ${MAX_IDS} events at once — for more: … | xargs -n ${MAX_IDS}`);
  const outcomes = new Map<string, Changed | Failure>();
  const left = ids.values();
  const worker = async (): Promise<void> => {
    for (const id of left) outcomes.set(id, await changeOne(client, id, bodyFor));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const all = ids.flatMap((id) => outcomes.get(id) ?? []);
  return { changed: all.filter((one): one is Changed => !isFailure(one)), failed: all.filter(isFailure) };
};

const outcomeText = ({ changed, failed }: Outcome): string =>
  tableOf(
    [{ title: 'event' }, { title: 'is' }, { title: 'assigned', width: 20 }, { title: 'title', width: 44 }],
    [
      ...changed.map((event) => [event.eventId, event.status, assigneeOf(event), titleOf(event, 120)]),
      ...failed.map(({ id, reason }) => [clip(id, 30), 'as before', '', clip(reason, 240)]),
    ],
  );

const changeAll = async (
  { screen }: CliEnvironment,
  ids: readonly string[],
  options: ConnectionOptions,
  bodyFor: BodyFor,
): Promise<void> => {
  const outcome = await changeEach(clientOf(options), ids, bodyFor);
  show(screen, options, outcome, outcomeText);
  const { changed, failed } = outcome;
  if (failed.length > 0)
    throw new CliError(`${failed.length} of ${failed.length + changed.length} events are as before`);
};

const changing = (event: Command, verb: string, description: string): Command =>
  connected(event.command(verb).argument('<ids...>', `which, ${MAX_IDS} at most`)).description(description);

const NOTE = 'for the history of the event';

const addStatus = (
  event: Command,
  environment: CliEnvironment,
  verb: string,
  status: string,
  description: string,
): Command =>
  changing(event, verb, description)
    .option('--note <text>', NOTE)
    .action((ids: string[], options: ChangeOptions) =>
      changeAll(environment, ids, options, async () => ({
        ...{ status, notes: options.note, resolutionCategory: options.category },
      })),
    );

const wanted = (given: string | false | undefined): string | null | undefined => (given === false ? null : given);

const addAssign = (event: Command, environment: CliEnvironment): Command =>
  changing(event, 'assign', 'say who takes care of events; an open one is acknowledged with it')
    .option('--user <name>', 'id or user name')
    .option('--no-user', 'take it from its user')
    .option('--team <name>', 'id or name of the team')
    .option('--no-team', 'take it from its team')
    .option('--note <text>', NOTE)
    .action((ids: string[], { note, user, team, ...options }: AssignOptions) => {
      const assignment = { assignedTo: wanted(user), assignedTeam: wanted(team) };
      if (user === undefined && team === undefined) throw new CliError('name --user, --team, --no-user or --no-team');
      return changeAll(environment, ids, options, async (client, id) => {
        const { status } = await eventOf(client, id);
        return { status: status === 'open' ? 'acknowledged' : status, notes: note, ...assignment };
      });
    });

const addNote = (event: Command, environment: CliEnvironment): Command =>
  changing(event, 'note', 'add a note to events that are not open; their status stays')
    .requiredOption('--note <text>', NOTE)
    .action((ids: string[], { note, ...options }: ChangeOptions) =>
      changeAll(environment, ids, options, async (client, id) => {
        const { status } = await eventOf(client, id);
        if (status === 'open')
          throw new NotAllowed('it is open: acknowledge it with the note, faultline event ack --note');
        return { status, notes: note };
      }),
    );

const addShow = (event: Command, { screen }: CliEnvironment): Command =>
  connected(event.command('show').argument('<id>'))
    .description('show an event with its history')
    .action(async (id: string, options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).get<EventDetailReply>(pathOf(id)), eventText),
    );

export const addEvent = (program: Command, environment: CliEnvironment): Command => {
  const event = program.command('event').description('look at single events and change them');
  addShow(event, environment);
  addStatus(event, environment, 'ack', 'acknowledged', 'acknowledge events, resolved or suppressed ones, too');
  addStatus(event, environment, 'resolve', 'resolved', 'resolve events').addOption(
    new Option('--category <category>', 'how it ended').choices(RESOLUTION_CATEGORIES),
  );
  addStatus(
    event,
    environment,
    'suppress',
    'suppressed',
    'suppress events until a person or their monitor says otherwise',
  );
  addAssign(event, environment);
  addNote(event, environment);
  return event;
};
