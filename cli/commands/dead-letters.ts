import type { Command } from 'commander';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { DataReply, PageReply, ReplyOf } from '#cli/client/replies.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, count, moment } from '#cli/terminal/screen.ts';
import type { DeadLetterDetail, DeadLetterView, ResolvedDeadLettersView } from '#schemas/http/admin/operations.ts';
import { listText } from './lists.ts';

type SettledReply = ReplyOf<typeof ResolvedDeadLettersView>;

interface Filter extends ConnectionOptions {
  readonly processor?: string;
  readonly reason?: string;
}
interface DeadLetterListOptions extends Filter {
  readonly state: string;
  readonly limit: string;
  readonly cursor?: string;
  readonly unassigned?: boolean;
}

const PATH = '/api/admin/dead-letters';
const outcomeOf = ({ state, settled }: ReplyOf<typeof DeadLetterView>): string =>
  settled === null ? state : `${state}: ${settled.outcome}`;

const letterTable = listText<ReplyOf<typeof DeadLetterView>>({
  name: 'dead letters',
  columns: ['time (UTC)', 'id', 'processor', 'status', { title: 'reason', width: 40 }],
  row: (letter) => [
    moment(letter.at).slice(5),
    letter.id,
    letter.processor,
    outcomeOf(letter),
    clip(letter.reason, 120),
  ],
});

const letterText = ({ data }: DataReply<typeof DeadLetterDetail>): string =>
  [
    `${data.id}, ${moment(data.at)}, ${outcomeOf(data)}`,
    `${data.processor} failed on ${data.topic}, partition ${data.partition}, offset ${data.offset}:`,
    `  ${data.reason}`,
    ...(data.not_replayable ? [`Can't be replayed: ${data.not_replayable}`] : []),
    '',
    data.record === null ? (data.value ?? '') : JSON.stringify(data.record, null, 2),
  ].join('\n');

const settledText =
  (verb: string) =>
  ({ settled, failed, failures, more }: SettledReply): string =>
    [
      `${count(settled)} dead letters ${verb}.`,
      ...(failed > 0 ? [`${count(failed)} failed:`, ...failures.map(({ id, reason }) => `  ${id}: ${reason}`)] : []),
      ...(more ? ['More dead letters match; run the command again.'] : []),
    ].join('\n');

type Verb = 'replay' | 'discard';
const DONE = { replay: 'replayed', discard: 'discarded' } as const;

/** One by one, in the given order; a refused one does not block the others. */
const settleEach = async (client: Client, verb: Verb, ids: readonly string[]): Promise<SettledReply> => {
  const failures: { id: string; reason: string }[] = [];
  for (const id of ids) {
    const path = `${PATH}/${encodeURIComponent(id)}`;
    try {
      await (verb === 'replay' ? client.post(`${path}/replay`, {}) : client.delete(path));
    } catch (error) {
      if (!(error instanceof CliError) || (error.status !== 404 && error.status !== 409)) throw error;
      failures.push({ id, reason: error.message });
    }
  }
  return { settled: ids.length - failures.length, failed: failures.length, failures, more: false };
};

const settle = async (client: Client, verb: Verb, ids: readonly string[], options: Filter): Promise<SettledReply> => {
  const { processor, reason } = options;
  const byFilter = processor !== undefined || reason !== undefined;
  if (byFilter === ids.length > 0) throw new CliError('pass IDs, or --processor and --reason');
  if (!byFilter) return settleEach(client, verb, ids);
  const { data } = await client.post<{ data: SettledReply }>(`${PATH}/${verb}`, { processor, reason });
  return data;
};

const filtered = (command: Command): Command =>
  connected(command)
    .option('--processor <name>', 'only this processor')
    .option('--reason <text>', 'only reasons containing this text');

const addSettling = (letters: Command, verb: Verb, description: string, { screen }: CliEnvironment): Command =>
  filtered(letters.command(verb).argument('[ids...]', 'dead letter IDs, up to 1,000; or use a filter'))
    .description(description)
    .action(async (ids: string[], options: Filter) => {
      const reply = await settle(clientOf(options), verb, ids, options);
      show(screen, options, reply, settledText(DONE[verb]));
      if (reply.failed > 0) throw new CliError(`${reply.failed} dead letters were not ${DONE[verb]}`);
    });

const addList = (letters: Command, { screen }: CliEnvironment): Command =>
  filtered(letters.command('list', { isDefault: true }))
    .description('list dead letters, newest first')
    .option('--state <state>', 'state: waiting, replayed, discarded or all', 'waiting')
    .option('--limit <n>', 'maximum number of results', '20')
    .option('--cursor <cursor>', 'cursor of the next page')
    .option('--unassigned', 'dead letters without a readable tenant (platform administrators)')
    .action(async (options: DeadLetterListOptions) => {
      const { processor, reason, state, limit, cursor, unassigned } = options;
      const asked = { processor, reason, state, limit, cursor, unassigned: unassigned ? 'true' : undefined };
      const reply = await clientOf(options).get<PageReply<typeof DeadLetterView>>(`${PATH}?${queryOf(asked)}`);
      show(screen, options, reply, letterTable);
    });

const addShow = (letters: Command, { screen }: CliEnvironment): Command =>
  connected(letters.command('show').argument('<id>'))
    .description('show a dead letter and its original record')
    .action(async (id: string, options: ConnectionOptions) => {
      const path = `${PATH}/${encodeURIComponent(id)}`;
      show(screen, options, await clientOf(options).get<DataReply<typeof DeadLetterDetail>>(path), letterText);
    });

export const addDeadLetters = (program: Command, environment: CliEnvironment): Command => {
  const letters = program.command('dead-letters').description('manage dead letters');
  addList(letters, environment);
  addShow(letters, environment);
  addSettling(letters, 'replay', 'replay dead letters', environment);
  addSettling(letters, 'discard', 'discard dead letters', environment);
  return letters;
};
