import { type Command, InvalidArgumentError } from 'commander';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { DataReply } from '#cli/client/replies.ts';
import { patchOf } from '#cli/commands/settings/settings-texts.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, count, counted, moment, tableOf } from '#cli/terminal/screen.ts';
import type { TrialBody } from '#features/trials/schemas/trials.ts';
import { pause } from '#infra/wait.ts';

type TrialReply = DataReply<typeof TrialBody>;

const SHOWN = 20;
const sizes = (groups: readonly { readonly size: number }[]): string =>
  groups.length === 0 ? '–' : groups.map(({ size }) => count(size)).join(' + ');

const changeTable = (changes: readonly NonNullable<TrialReply['data']['changes']>[number][]): string =>
  tableOf(
    [
      { title: 'change' },
      { title: 'events before', width: 20 },
      { title: 'events after', width: 20 },
      { title: 'about', width: 56 },
    ],
    changes.map(({ kind, before, after, titles }) => [
      kind,
      sizes(before),
      sizes(after),
      titles.map((one) => clip(one, 80)).join('; '),
    ]),
  );

/** The result of a trial. */
const trialText = ({ data }: TrialReply): string => {
  const { before, after, changes, changed, verdicts, from, events, truncated } = data;
  if (before === null || after === null || changes === null || verdicts === null) return `Simulation ${data.state}.`;
  const row = (title: string, name: keyof typeof before): string[] => [title, count(before[name]), count(after[name])];
  const since = `${counted(events ?? 0, 'event')} since ${moment(from ?? '')}`;
  return [
    `${since}${truncated ? ' (newest events only: limit reached)' : ''}. Read-only.`,
    tableOf(
      [
        { title: '', width: 30 },
        { title: 'current', right: true },
        { title: 'simulated', right: true },
      ],
      [
        row('groups', 'groups'),
        row('events in groups', 'grouped'),
        row('largest group', 'largest'),
        row('ungrouped events', 'noise'),
      ],
    ),
    ...(changes.length === 0 ? ['No groups would change.'] : [changeTable(changes.slice(0, SHOWN))]),
    ...(changes.length > SHOWN
      ? [`${count(SHOWN)} of ${counted(changed ?? 0, 'change')} (largest first); --json has up to 100.`]
      : []),
    `Groups with a "right" verdict: ${count(verdicts.kept)} unchanged, ${count(verdicts.lost)} changed.`,
  ].join('\n');
};

const PATH = '/api/admin/settings/correlation';

interface TryOptions extends ConnectionOptions {
  readonly hours: number;
}

const MAX_HOURS = 168;
/** A trial needs at most 10 minutes. */
const MAX_MS = 900_000;
const BETWEEN_MS = 500;

const hoursOf = (text: string): number => {
  const hours = Number(text);
  if (!Number.isInteger(hours) || hours < 1 || hours > MAX_HOURS)
    throw new InvalidArgumentError(`expected a whole number from 1 to ${MAX_HOURS}`);
  return hours;
};

/** Waits until the trial has ended. */
const ended = async (client: Client, id: string): Promise<TrialReply> => {
  for (let waited = 0; waited < MAX_MS; waited += BETWEEN_MS) {
    const reply = await client.get<TrialReply>(`${PATH}/trials/${id}`);
    if (reply.data.endedAt !== null) return reply;
    await pause(BETWEEN_MS);
  }
  throw new CliError(`simulation ${id} is still running; see GET ${PATH}/trials/${id}`);
};

export const addTry = (settings: Command, { screen }: CliEnvironment): Command =>
  connected(settings.command('try'))
    .description('simulate settings on stored events; changes nothing')
    .argument('<name=value...>', 'settings, for example threshold=0.75 guards.maxSpanMs=7200000')
    .option('--hours <n>', 'hours to replay', hoursOf, 24)
    .action(async (changes: readonly string[], options: TryOptions) => {
      const client = clientOf(options);
      const body = { patch: patchOf(changes), hours: options.hours };
      const { data } = await client.post<TrialReply>(`${PATH}/trials`, body);
      const reply = await ended(client, data.id);
      if (reply.data.state === 'failed') throw new CliError(`simulation failed: ${reply.data.error}`);
      show(screen, options, reply, trialText);
    });
