import { type Command, InvalidArgumentError } from 'commander';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf } from '#cli/client/connection.ts';
import type { GroupReply, GroupsReply } from '#cli/client/replies.ts';
import type { CliFeature, WatchedKind, WatchedLine } from '#cli/commands/feature.ts';
import { causeOf, groupTable } from '#cli/commands/group/list.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import type { Screen } from '#cli/terminal/screen.ts';
import { forTerminal } from '#domain/texts/unseen.ts';
import { pause } from '#infra/wait.ts';

type LineChange = 'new' | 'changed' | 'gone';

/** Things of one kind, by id. */
interface SeenLines {
  readonly lines: ReadonlyMap<string, WatchedLine>;
  /** All of the kind are there. */
  readonly isWhole: boolean;
}

const groupLine = ({ correlationId, severity, counts, eventCount, ...group }: GroupReply): WatchedLine => {
  const { rootCause, assignedTo, assignedTeam, verdict } = group;
  return {
    text: `${correlationId}  ${severity ?? '–'}  ${counts.open} open of ${eventCount}  ${causeOf(group)}`,
    facts: {
      correlationId,
      severity,
      counts,
      eventCount,
      title: rootCause?.title ?? null,
      assignedTo: assignedTo?.username ?? null,
      assignedTeam: assignedTeam?.name ?? null,
      verdict: verdict?.cause ?? null,
    },
  };
};

const changesOf = (before: SeenLines | undefined, { lines: after, isWhole }: SeenLines, json: boolean): string[] => {
  const line = (change: LineChange, { text, facts }: WatchedLine): string =>
    json ? JSON.stringify({ change, ...facts }) : forTerminal(`${change.padEnd(7)} ${text}`);
  const changes: string[] = [];
  for (const [id, one] of after) {
    const known = before?.lines.get(id);
    if (known === undefined) changes.push(line('new', one));
    else if (JSON.stringify(known.facts) !== JSON.stringify(one.facts)) changes.push(line('changed', one));
  }
  if (isWhole) for (const [id, one] of before?.lines ?? []) if (!after.has(id)) changes.push(line('gone', one));
  return changes;
};

/** A line for each thing that is new, changed or gone, kind by kind. What left a list that is not whole may be active still. */
const changedLines = (before: readonly SeenLines[], after: readonly SeenLines[], json: boolean): string[] =>
  after.flatMap((seen, kind) => changesOf(before[kind], seen, json));

/** Messages of a stream of live changes. */
type LiveMessage = 'hello' | 'changes' | 'reset' | 'bye';

const MESSAGES: readonly string[] = ['hello', 'changes', 'reset', 'bye'] satisfies LiveMessage[];

const fieldIn = (block: string, name: string): string | undefined =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

const messageIn = (block: string): LiveMessage[] => {
  const event = fieldIn(block, 'event');
  return event !== undefined && MESSAGES.includes(event) ? [event as LiveMessage] : [];
};

/** That things of these topics change, over one connection. Ends where the connection ends or breaks; throws CliError when there is no stream. */
async function* liveMessages(client: Client, topics: readonly string[]): AsyncGenerator<LiveMessage> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of client.download(`/sse/changes?topics=${topics.join(',')}`)) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.flatMap(messageIn);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
  }
}

interface WatchOptions extends ConnectionOptions {
  readonly limit: string;
  readonly updates?: number;
}

/** Interval of reads of the groups without a stream, ms. */
const POLL_MS = 10_000;
/** Minimum time between two reads, ms: changes within it are combined. */
const BETWEEN_MS = 1_000;
/** Delay before an ended stream is opened again, ms. */
const REST_MS = 1_000;
/** Moves to the start, and clears the rest of the screen. */
const CLEAR = '\u001b[H\u001b[2J';

/** Ticks when the groups have to be read again; the word is the reason. Runs forever. */
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

interface WatchReplies {
  readonly groups: GroupsReply;
  readonly others: readonly Awaited<ReturnType<WatchedKind['read']>>[];
}

/** Null: the server cannot answer right now. */
const read = async (
  client: Client,
  { limit }: WatchOptions,
  kinds: readonly WatchedKind[],
  isFirst: boolean,
): Promise<WatchReplies | null> => {
  try {
    const groups = await client.get<GroupsReply>(`/api/events/groups?${queryOf({ status: 'active', limit })}`);
    const others: WatchReplies['others'][number][] = [];
    for (const kind of kinds) others.push(await kind.read(client));
    return { groups, others };
  } catch (error) {
    // A server that restarts is waited for.
    if (!isFirst && error instanceof CliError && (error.status === null || error.status >= 500)) return null;
    throw error;
  }
};

const showTable = (screen: Screen, { groups: reply, others }: WatchReplies, tick: 'live' | 'polled'): void => {
  const how = tick === 'live' ? 'live' : `no live stream, polling every ${POLL_MS / 1_000}s`;
  const text = reply.groups.length === 0 ? 'No active groups.' : groupTable(reply);
  const below = others.map(({ summary }) => (summary === '' ? '' : `\n${summary}`)).join('');
  screen.print(`${CLEAR}${text}${forTerminal(below)}\nactive groups, ${how}; Ctrl-C to quit`);
};

const seenOf = ({ groups: { groups, pagination }, others }: WatchReplies): SeenLines[] => [
  {
    lines: new Map(groups.map((group) => [group.correlationId, groupLine(group)])),
    isWhole: groups.length >= pagination.total,
  },
  ...others.map(({ lines }) => ({ lines, isWhole: true })),
];

const watch = async (screen: Screen, kinds: readonly WatchedKind[], options: WatchOptions): Promise<void> => {
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
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected a whole number of at least 1');
  return Number(text);
};

export const addWatch =
  (features: readonly CliFeature[]) =>
  (program: Command, { screen }: CliEnvironment): Command => {
    const kinds = features.flatMap(({ watched = [] }) => watched);
    const things = ['active groups', ...kinds.map(({ words }) => words)].join(' and ');
    return connected(program.command('watch'))
      .description(`watch ${things} (table on a terminal, one line per change otherwise)`)
      .option('--limit <n>', 'maximum number of groups (up to 100)', '25')
      .option('--updates <n>', 'exit after this many updates', wholeNumber)
      .action((options: WatchOptions) => watch(screen, kinds, options));
  };
