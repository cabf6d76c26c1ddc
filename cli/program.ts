import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { ReplyOf, TakenReply } from '#cli/client/replies.ts';
import { clip, tableOf } from '#cli/terminal/screen.ts';
import type { ExplainReply } from '#schemas/http/events/explain-view.ts';
import { addBackup, addRestore } from './commands/backup.ts';
import { addCi } from './commands/ci/ci.ts';
import { addCompletion } from './commands/completion/completion.ts';
import { addDeadLetters } from './commands/dead-letters.ts';
import { addEvent } from './commands/event/event.ts';
import { addEvents } from './commands/event/list.ts';
import { addInPlace, type CommandEntry } from './commands/feature.ts';
import { addGroup } from './commands/group/group.ts';
import { addGroups } from './commands/group/list.ts';
import { addTeams, addTenants, addUsers } from './commands/lists.ts';
import { addPipeline } from './commands/pipeline.ts';
import { addQuality } from './commands/quality/quality.ts';
import { addSettings } from './commands/settings/settings.ts';
import { addToken } from './commands/token.ts';
import { addUser } from './commands/user.ts';
import { addWatch } from './commands/watch/watch.ts';
import { features } from './features.ts';
import type { CliEnvironment } from './terminal/environment.ts';

interface SendOptions extends ConnectionOptions {
  readonly source?: string;
}

interface Posted {
  readonly file: string;
  readonly source: string;
  readonly reply: TakenReply | null;
  /** Reason of the server's refusal; null when it did not refuse. */
  readonly error: string | null;
}

const bodyIn = (file: string): unknown => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new CliError(`${file} can't be read`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(`${file} is not valid JSON`);
  }
};

const sourceOf = (file: string, { source }: SendOptions): string => source ?? basename(dirname(resolve(file)));

const rowsOf = ({ file, source, reply, error }: Posted): string[][] => {
  const start = [basename(file), source];
  if (reply === null) return [[...start, '–', 'failed', clip(error ?? '', 160)]];
  const bad = reply.rejected.map(({ index, error: why }) => [...start, '–', 'rejected', `item ${index}: ${why}`]);
  return [...reply.results.map(({ action, status, eventId }) => [...start, action, status, eventId ?? '–']), ...bad];
};

const postedTable = (all: readonly Posted[]): string =>
  tableOf(
    [{ title: 'file', width: 28 }, 'source', 'requested', 'result', { title: 'event', width: 32 }],
    all.flatMap(rowsOf),
  );

const addSend = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('send'))
    .description('send payload files to monitoring webhooks')
    .argument('<file...>', 'payload files')
    .option('--source <name>', 'source; default: folder name of each file')
    .action(async (files: readonly string[], options: SendOptions) => {
      const client = clientOf(options);
      const bodies = files.map((file) => ({ file, source: sourceOf(file, options), body: bodyIn(file) }));
      const posted: Posted[] = [];
      for (const { file, source, body } of bodies) {
        const sending = client.post<TakenReply>(`/api/events/webhook/${encodeURIComponent(source)}`, body);
        posted.push(await sending.then((reply) => ({ file, source, reply, error: null }), refusalOf({ file, source })));
      }
      show(screen, options, posted, postedTable);
      const refused = posted.filter(({ reply }) => reply === null).length;
      if (refused > 0) throw new CliError(`${refused} of ${posted.length} files rejected`);
    });

/** A refusal of one file does not keep the others back; credentials and connections concern all. */
const refusalOf =
  (about: Pick<Posted, 'file' | 'source'>) =>
  (error: unknown): Posted => {
    const aboutFile = error instanceof CliError && error.status !== null && ![401, 403].includes(error.status);
    if (!aboutFile) throw error;
    return { ...about, reply: null, error: error.message };
  };

type Explained = ReplyOf<typeof ExplainReply>;

const verdict = (reply: Explained): string => {
  const { events, together, correlationId, manual, refusedReason, notCompared, strategies } = reply;
  const [a, b] = events;
  if (together) return `${a} and ${b} are in the same group, ${correlationId}${manual ? ', merged manually' : ''}.`;
  if (refusedReason !== null) return `${a} and ${b} are not grouped: ${refusedReason}.`;
  if (notCompared !== null) return `${a} and ${b} are not grouped: ${notCompared.reason}.`;
  const directly = strategies.some(({ joined }) => joined);
  return `${a} and ${b} are not grouped${directly ? ', although a strategy would match now' : ': no strategy scored above the threshold'}.`;
};

const usual = ({ usual: marks }: Explained): string[] => marks.map(({ reason }) => `${reason}.`);
const learning = ({ learningReason }: Explained): string[] => (learningReason === undefined ? [] : [learningReason]);

const explainTable = (reply: Explained): string => {
  const table = tableOf(
    [
      'strategy',
      { title: 'raw score', right: true },
      { title: '× factor', right: true },
      { title: 'score', right: true },
      'match',
      { title: 'reason', width: 54 },
    ],
    reply.strategies.map(({ strategy, literalScore, factor, score, threshold, joined, reason }) => [
      strategy,
      literalScore.toFixed(3),
      factor.toFixed(3),
      score.toFixed(3),
      joined ? `yes, > ${threshold}` : 'no',
      reason,
    ]),
  );
  const said = [`${verdict(reply)} Profile: ${reply.profile}.`, ...usual(reply), ...learning(reply)];
  return `${said.join('\n')}\n${table}`;
};

const addExplain = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('explain'))
    .description("explain why two events are or aren't grouped")
    .argument('<a>', 'event ID')
    .argument('<b>', 'event ID')
    .action(async (a: string, b: string, options: ConnectionOptions) => {
      const path = `/api/events/${encodeURIComponent(a)}/explain?with=${encodeURIComponent(b)}`;
      show(screen, options, await clientOf(options).get<Explained>(path), explainTable);
    });

const DONE = `Deleted all groups and decisions. Start the workers: merge re-reads all PARTITIONS partitions and recreates
the same groups with the same IDs.`;

const addRebuildGroups = (program: Command, { screen, rebuildGroups }: CliEnvironment): Command =>
  program
    .command('rebuild-groups')
    .description('distributed mode: delete and rebuild all groups from the log; stop all merge processes first')
    .action(async () => {
      screen.print(DONE.replace('PARTITIONS', String(await rebuildGroups())));
    });

const CORE: readonly CommandEntry[] = [
  { place: 10, add: addSend },
  { place: 20, add: addEvents },
  { place: 30, add: addEvent },
  { place: 40, add: addGroups },
  { place: 50, add: addGroup },
  { place: 60, add: addExplain },
  { place: 70, add: addUsers },
  { place: 75, add: addUser },
  { place: 80, add: addTeams },
  { place: 90, add: addTenants },
  { place: 100, add: addCi(features) },
  { place: 110, add: addPipeline },
  { place: 120, add: addDeadLetters },
  { place: 130, add: addQuality(features) },
  { place: 140, add: addRebuildGroups },
  { place: 143, add: addBackup },
  { place: 146, add: addRestore },
  { place: 150, add: addSettings(features) },
  { place: 160, add: addToken },
  { place: 170, add: addWatch(features) },
  { place: 180, add: addCompletion },
];

/** Every command; `world` contains their external dependencies. */
export const programFor = (environment: CliEnvironment, version: string): Command => {
  const program = new Command('faultline')
    .description('Event correlation, root-cause analysis and CMDB')
    .version(version)
    .showHelpAfterError('(use --help for usage)');
  program
    .command('serve')
    .description('start the server, configured by environment variables')
    .action(() => environment.serve());
  addInPlace(program, environment, [...CORE, ...features.flatMap(({ commands = [] }) => commands)]);
  return program;
};
