import { type Command, InvalidArgumentError } from 'commander';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import { patchOf } from '#infra/cli/commands/settings/settings-texts.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { pause } from '#infra/wait.ts';
import { type TrialReply, trialText } from './trial-texts.ts';

const PATH = '/api/admin/settings/correlation';

interface TryOptions extends ConnectionOptions {
  readonly hours: number;
}

const MOST_HOURS = 168;
/** A trial takes at most 10 minutes. */
const MOST_MS = 900_000;
const BETWEEN_MS = 500;

const hoursOf = (text: string): number => {
  const hours = Number(text);
  if (!Number.isInteger(hours) || hours < 1 || hours > MOST_HOURS)
    throw new InvalidArgumentError(`expected a whole number from 1 to ${MOST_HOURS}`);
  return hours;
};

/** Waits until the trial has ended. */
const ended = async (client: Client, id: string): Promise<TrialReply> => {
  for (let waited = 0; waited < MOST_MS; waited += BETWEEN_MS) {
    const reply = await client.get<TrialReply>(`${PATH}/trials/${id}`);
    if (reply.data.endedAt !== null) return reply;
    await pause(BETWEEN_MS);
  }
  throw new CliError(`the trial ${id} has not ended yet; see GET ${PATH}/trials/${id}`);
};

export const addTry = (settings: Command, { screen }: CliEnvironment): Command =>
  connected(settings.command('try'))
    .description('say what the groups of the last hours would be with other settings; changes nothing')
    .argument('<name=value...>', 'such as threshold=0.75 guards.maxSpanMs=7200000')
    .option('--hours <n>', 'how far back', hoursOf, 24)
    .action(async (changes: readonly string[], options: TryOptions) => {
      const client = clientOf(options);
      const body = { patch: patchOf(changes), hours: options.hours };
      const { data } = await client.post<TrialReply>(`${PATH}/trials`, body);
      const reply = await ended(client, data.id);
      if (reply.data.state === 'failed') throw new CliError(`the trial has failed: ${reply.data.error}`);
      show(screen, options, reply, trialText);
    });
