import { type Command, Option } from 'commander';
import { RESOLUTION_CATEGORIES } from '#domain/event/event.ts';
import { CliError } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { ReplyOf } from '#infra/cli/client/replies.ts';
import { type AssignmentOptions, assignmentOf, assignmentOptions } from '#infra/cli/commands/assignment.ts';
import { noGroup } from '#infra/cli/commands/find-group.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { clip, counted } from '#infra/cli/terminal/screen.ts';
import type { OperationReply } from '#schemas/http/events/group-operations.ts';

type Reply = ReplyOf<typeof OperationReply>;
interface NoteOptions extends ConnectionOptions {
  readonly note?: string;
  readonly category?: string;
}

const MAX_IDS = 200;
const IDS = `groups, or events in none (EVT-…), ${MAX_IDS} at most`;

const reportOf =
  (changed: (reply: Reply) => string) =>
  (reply: Reply): string =>
    [
      changed(reply),
      ...(reply.operationId === null ? [] : [`undo within 10 minutes: faultline group undo ${reply.operationId}`]),
      ...reply.results.filter(({ ok }) => !ok).map(({ id, error }) => `${clip(id, 40)}: ${clip(error ?? '', 240)}`),
      ...(reply.results.some(({ queued }) => queued) ? ['some are on their way'] : []),
    ].join('\n');

const wereRefused = ({ results }: Reply): void => {
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  const [first] = failed;
  if (results.length === 1 && first?.error?.endsWith('was not found')) throw noGroup(first.id);
  throw new CliError(`${failed.length} of ${results.length} were refused`);
};

const several = (group: Command, verb: string, description: string): Command =>
  connected(group.command(verb).argument('<ids...>', IDS)).description(description);

const VERBS = [
  { verb: 'ack', path: 'acknowledge', done: 'acknowledged', description: 'acknowledge what is open of groups' },
  { verb: 'unack', path: 'unacknowledge', done: 'open again', description: 'withdraw the acknowledgement of groups' },
  { verb: 'resolve', path: 'resolve', done: 'resolved', description: 'resolve what is not over of groups' },
  {
    verb: 'reopen',
    path: 'reopen',
    done: 'open again',
    description: 'open what a person has resolved or suppressed of groups',
  },
] as const;

const inOrder = (ids: readonly string[]): string[] => {
  if (ids.length > MAX_IDS) throw new CliError(`at most ${MAX_IDS} at once — for more: … | xargs -n ${MAX_IDS}`);
  return [...new Set(ids)];
};

const addVerbs = (group: Command, { screen }: CliEnvironment): void => {
  for (const { verb, path, done, description } of VERBS) {
    const command = several(group, verb, description).option('--note <text>', 'for the history');
    if (verb === 'resolve')
      command.addOption(new Option('--category <category>', 'how it ended').choices(RESOLUTION_CATEGORIES));
    command.action(async (ids: string[], { note, category, ...options }: NoteOptions) => {
      const body = { ids: inOrder(ids), notes: note, resolutionCategory: category };
      const reply = await clientOf(options).post<Reply>(`/api/events/groups/${path}`, body);
      show(
        screen,
        options,
        reply,
        reportOf(({ changed }) => `${counted(changed, 'event')} ${done}`),
      );
      wereRefused(reply);
    });
  }
};

/** Unknown names are told with where to find the right ones. */
const withWhoThereIs = async <T>(asked: Promise<T>): Promise<T> => {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof CliError) || error.status !== 400) throw error;
    throw new CliError(`${error.message} — list them with: faultline users, faultline teams`, 400, error.reason);
  }
};

const keptWords = (wanted: string | null | undefined, what: string): string[] => {
  if (wanted === undefined) return [];
  return [wanted === null ? `no ${what}` : `${what} ${wanted}`];
};

const addAssign = (group: Command, { screen }: CliEnvironment): void => {
  const described = several(group, 'assign', 'say who takes care of groups; the status of their events stays');
  assignmentOptions(described).action(
    async (ids: string[], { user, team, ...options }: ConnectionOptions & AssignmentOptions) => {
      const wanted = assignmentOf({ user, team });
      const body = { ids: inOrder(ids), user_id: wanted.user, team_id: wanted.team };
      const reply = await withWhoThereIs(clientOf(options).post<Reply>('/api/events/groups/assign', body));
      const to = [...keptWords(wanted.user, 'user'), ...keptWords(wanted.team, 'team')].join(', ');
      show(
        screen,
        options,
        reply,
        reportOf(({ changed }) => `${changed} of ${reply.results.length} assigned to ${to}`),
      );
      wereRefused(reply);
    },
  );
};

const addUndo = (group: Command, { screen }: CliEnvironment): void => {
  connected(group.command('undo').argument('<operation>', 'as it was told when it was done'))
    .description('undo what was done to groups in the last 10 minutes')
    .action(async (operationId: string, options: ConnectionOptions) => {
      const reply = await clientOf(options).post<Reply>('/api/events/groups/undo', { operationId });
      show(
        screen,
        options,
        reply,
        reportOf(({ changed }) => `${changed} as before`),
      );
      wereRefused(reply);
    });
};

/** One thing that is done to several groups with one request. */
export const addOperations = (group: Command, environment: CliEnvironment): void => {
  addVerbs(group, environment);
  addAssign(group, environment);
  addUndo(group, environment);
};
