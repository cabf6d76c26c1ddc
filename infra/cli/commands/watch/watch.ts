import { type Command, InvalidArgumentError } from 'commander';
import { forTerminal } from '#domain/texts/unseen.ts';
import { matcherText, type SilencesReply } from '#features/silences/cli/silence-texts.ts';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf } from '#infra/cli/client/connection.ts';
import type { GroupsReply } from '#infra/cli/client/replies.ts';
import { groupTable } from '#infra/cli/commands/group/list.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { moment, type Screen } from '#infra/cli/terminal/screen.ts';
import { pause } from '#infra/wait.ts';
import { changedLines, type SeenLines } from './changed-lines.ts';
import { liveMessages } from './live-messages.ts';

interface Options extends ConnectionOptions {
  readonly limit: string;
  readonly updates?: number;
}

/** Without a stream the groups are read this often, ms. */
const POLL_MS = 10_000;
/** Between two reads at least, ms: what changes meanwhile comes as one. */
const BETWEEN_MS = 1_000;
/** A stream that ended is opened again after so long, ms. */
const REST_MS = 1_000;
/** Silences that are read, and those that a table names. */
const MOST_SILENCES = 100;
const SHOWN_SILENCES = 3;
/** Home, and the rest of the screen is cleared. */
const CLEAR = '\u001b[H\u001b[2J';

/** Ticks when the groups have to be read anew; the word says why. Goes on for ever. */
async function* ticks(client: Client): AsyncGenerator<'live' | 'polled'> {
  for (;;) {
    let hasBegun = false;
    try {
      for await (const message of liveMessages(client)) {
        hasBegun = true;
        if (message !== 'bye') yield 'live';
      }
    } catch (error) {
      const { status } = error as CliError;
      // A final refusal is reported; an older server has no stream, and a busy one may have no place.
      if (status === 401 || status === 403) throw error;
    }
    if (hasBegun) await pause(REST_MS);
    else {
      yield 'polled';
      await pause(POLL_MS);
    }
  }
}

interface Read {
  readonly groups: GroupsReply;
  readonly silences: SilencesReply;
}

/** Null: the server cannot answer right now. */
const read = async (client: Client, limit: string, isFirst: boolean): Promise<Read | null> => {
  try {
    const groups = await client.get<GroupsReply>(`/api/events/groups?${queryOf({ status: 'active', limit })}`);
    const holding = queryOf({ state: 'active', limit: String(MOST_SILENCES) });
    return { groups, silences: await client.get<SilencesReply>(`/api/events/silences?${holding}`) };
  } catch (error) {
    // A server that restarts is waited for.
    if (!isFirst && error instanceof CliError && (error.status === null || error.status >= 500)) return null;
    throw error;
  }
};

/** The names of those that hold; they may be the reason why nothing is active. */
const silencesText = ({ silences, pagination }: SilencesReply): string => {
  if (silences.length === 0) return '';
  const shown = silences.slice(0, SHOWN_SILENCES).map((one) => `${matcherText(one)} until ${moment(one.endsAt)}`);
  const more = pagination.total - shown.length;
  return `\nsilenced: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
};

const showTable = (screen: Screen, { groups: reply, silences }: Read, tick: 'live' | 'polled'): void => {
  const how = tick === 'live' ? 'live' : `no live stream: read every ${POLL_MS / 1_000} s`;
  const text = reply.groups.length === 0 ? 'No active groups.' : groupTable(reply);
  screen.print(`${CLEAR}${text}${forTerminal(silencesText(silences))}\nactive groups, ${how}; Ctrl-C ends`);
};

const seenOf = ({ groups: { groups, pagination }, silences: { silences } }: Read): SeenLines => ({
  groups: new Map(groups.map((group) => [group.correlationId, group])),
  silences: new Map(silences.map((silence) => [silence.id, silence])),
  isWhole: groups.length >= pagination.total,
});

const watch = async (screen: Screen, options: Options): Promise<void> => {
  const client = clientOf(options);
  const { limit, json, updates = Number.POSITIVE_INFINITY } = options;
  let known: SeenLines = { groups: new Map(), silences: new Map(), isWhole: false };
  let shown = 0;
  for await (const tick of ticks(client)) {
    const reply = await read(client, limit, shown === 0);
    if (reply === null) continue;
    const seen = seenOf(reply);
    if (screen.isTerminal && !json) showTable(screen, reply, tick);
    else for (const line of changedLines(known, seen, json === true)) screen.print(line);
    known = seen;
    shown += 1;
    if (shown >= updates) return;
    await pause(BETWEEN_MS);
  }
};

const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1 on');
  return Number(text);
};

export const addWatch = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('watch'))
    .description(
      'show the active groups and the silences that hold as they change: a table on a terminal, else a line per change',
    )
    .option('--limit <n>', 'how many groups, at most 100', '25')
    .option('--updates <n>', 'end after reading the groups so many times', wholeNumber)
    .action((options: Options) => watch(screen, options));
