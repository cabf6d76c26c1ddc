import { type Command, InvalidArgumentError } from 'commander';
import { forTerminal } from '#domain/texts/unseen.ts';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf } from '#infra/cli/client/connection.ts';
import type { GroupsReply } from '#infra/cli/client/replies.ts';
import type { CliFeature, WatchedKind } from '#infra/cli/commands/feature.ts';
import { groupTable } from '#infra/cli/commands/group/list.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import type { Screen } from '#infra/cli/terminal/screen.ts';
import { pause } from '#infra/wait.ts';
import { changedLines, groupLine, type SeenLines } from './changed-lines.ts';
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
/** Home, and the rest of the screen is cleared. */
const CLEAR = '\u001b[H\u001b[2J';

/** Ticks when the groups have to be read anew; the word says why. Goes on for ever. */
async function* ticks(client: Client, topics: readonly string[]): AsyncGenerator<'live' | 'polled'> {
  for (;;) {
    let hasBegun = false;
    try {
      for await (const message of liveMessages(client, topics)) {
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
  readonly others: readonly Awaited<ReturnType<WatchedKind['read']>>[];
}

/** Null: the server cannot answer right now. */
const read = async (
  client: Client,
  { limit }: Options,
  kinds: readonly WatchedKind[],
  isFirst: boolean,
): Promise<Read | null> => {
  try {
    const groups = await client.get<GroupsReply>(`/api/events/groups?${queryOf({ status: 'active', limit })}`);
    const others: Read['others'][number][] = [];
    for (const kind of kinds) others.push(await kind.read(client));
    return { groups, others };
  } catch (error) {
    // A server that restarts is waited for.
    if (!isFirst && error instanceof CliError && (error.status === null || error.status >= 500)) return null;
    throw error;
  }
};

const showTable = (screen: Screen, { groups: reply, others }: Read, tick: 'live' | 'polled'): void => {
  const how = tick === 'live' ? 'live' : `no live stream: read every ${POLL_MS / 1_000} s`;
  const text = reply.groups.length === 0 ? 'No active groups.' : groupTable(reply);
  const below = others.map(({ summary }) => (summary === '' ? '' : `\n${summary}`)).join('');
  screen.print(`${CLEAR}${text}${forTerminal(below)}\nactive groups, ${how}; Ctrl-C ends`);
};

const seenOf = ({ groups: { groups, pagination }, others }: Read): SeenLines[] => [
  {
    lines: new Map(groups.map((group) => [group.correlationId, groupLine(group)])),
    isWhole: groups.length >= pagination.total,
  },
  ...others.map(({ lines }) => ({ lines, isWhole: true })),
];

const watch = async (screen: Screen, kinds: readonly WatchedKind[], options: Options): Promise<void> => {
  const client = clientOf(options);
  const { json, updates = Number.POSITIVE_INFINITY } = options;
  let known: readonly SeenLines[] = [];
  let shown = 0;
  for await (const tick of ticks(client, ['groups', ...kinds.map(({ topic }) => topic)])) {
    const reply = await read(client, options, kinds, shown === 0);
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

export const addWatch =
  (features: readonly CliFeature[]) =>
  (program: Command, { screen }: CliEnvironment): Command => {
    const kinds = features.flatMap(({ watched = [] }) => watched);
    const things = ['the active groups', ...kinds.map(({ words }) => words)].join(' and ');
    return connected(program.command('watch'))
      .description(`show ${things} as they change: a table on a terminal, else a line per change`)
      .option('--limit <n>', 'how many groups, at most 100', '25')
      .option('--updates <n>', 'end after reading the groups so many times', wholeNumber)
      .action((options: Options) => watch(screen, kinds, options));
  };
