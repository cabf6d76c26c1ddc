import { type Command, Option } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { ReplyOf } from '#cli/client/replies.ts';
import { type AssignmentOptions, assignmentOf, assignmentOptions } from '#cli/commands/assignment.ts';
import { noGroup } from '#cli/commands/find-group.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, counted } from '#cli/terminal/screen.ts';
import { RESOLUTION_CATEGORIES } from '#domain/event/event.ts';
import type { OperationReply } from '#schemas/http/events/group-operations.ts';

type OperateReply = ReplyOf<typeof OperationReply>;
interface NoteOptions extends ConnectionOptions {
  readonly note?: string;
  readonly category?: string;
}

const MAX_IDS = 200;
const IDS = `IDs of groups or ungrouped events (EVT-…), up to ${MAX_IDS}`;

const reportOf =
  (changed: (reply: OperateReply) => string) =>
  (reply: OperateReply): string =>
    [
      changed(reply),
      ...(reply.operationId === null ? [] : [`undo within 10 minutes: faultline group undo ${reply.operationId}`]),
      ...reply.results.filter(({ ok }) => !ok).map(({ id, error }) => `${clip(id, 40)}: ${clip(error ?? '', 240)}`),
      ...(reply.results.some(({ queued }) => queued) ? ['some are queued'] : []),
    ].join('\n');

const wereRefused = ({ results }: OperateReply): void => {
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  const [first] = failed;
  if (results.length === 1 && first?.error?.endsWith('was not found')) throw noGroup(first.id);
  throw new CliError(`${failed.length} of ${results.length} failed`);
};

const several = (group: Command, verb: string, description: string): Command =>
  connected(group.command(verb).argument('<ids...>', IDS)).description(description);

const VERBS = [
  { verb: 'ack', path: 'acknowledge', done: 'acknowledged', description: 'acknowledge all open events of groups' },
  { verb: 'unack', path: 'unacknowledge', done: 'reopened', description: 'unacknowledge groups' },
  { verb: 'resolve', path: 'resolve', done: 'resolved', description: 'resolve all unresolved events of groups' },
  {
    verb: 'reopen',
    path: 'reopen',
    done: 'reopened',
    description: 'reopen suppressed and manually resolved events of groups',
  },
] as const;

const inOrder = (ids: readonly string[]): string[] => {
  if (ids.length > MAX_IDS) throw new CliError(`at most ${MAX_IDS} at once — for more: … | xargs -n ${MAX_IDS}`);
  return [...new Set(ids)];
};

const addVerbs = (group: Command, { screen }: CliEnvironment): void => {
  for (const { verb, path, done, description } of VERBS) {
    const command = several(group, verb, description).option('--note <text>', 'note for the history');
    if (verb === 'resolve')
      command.addOption(new Option('--category <category>', 'resolution category').choices(RESOLUTION_CATEGORIES));
    command.action(async (ids: string[], { note, category, ...options }: NoteOptions) => {
      const body = { ids: inOrder(ids), notes: note, resolutionCategory: category };
      const reply = await clientOf(options).post<OperateReply>(`/api/events/groups/${path}`, body);
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

/** Unknown names are reported with the command that lists known ones. */
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
  const described = several(group, 'assign', "assign groups; event status doesn't change");
  assignmentOptions(described).action(
    async (ids: string[], { user, team, ...options }: ConnectionOptions & AssignmentOptions) => {
      const wanted = assignmentOf({ user, team });
      const body = { ids: inOrder(ids), user_id: wanted.user, team_id: wanted.team };
      const reply = await withWhoThereIs(clientOf(options).post<OperateReply>('/api/events/groups/assign', body));
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
  connected(group.command('undo').argument('<operation>', 'operation ID'))
    .description('undo a group operation from the last 10 minutes')
    .action(async (operationId: string, options: ConnectionOptions) => {
      const reply = await clientOf(options).post<OperateReply>('/api/events/groups/undo', { operationId });
      show(
        screen,
        options,
        reply,
        reportOf(({ changed }) => `${counted(changed, 'event')} restored`),
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
