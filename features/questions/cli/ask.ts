import type { Command } from 'commander';
import { firstItem } from '#domain/known.ts';
import type { ChatBody } from '#features/questions/schemas/chat.ts';
import { CliError } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { ReplyOf } from '#infra/cli/client/replies.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { clip, tableOf } from '#infra/cli/terminal/screen.ts';

interface AskOptions extends ConnectionOptions {
  readonly conversation?: string;
  readonly ci?: string;
}
type Answered = ReplyOf<typeof ChatBody>;

const LABEL = 60;
/** Columns that people read; ids and nested lists are in --json. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'search-cis': ['name', 'type', 'status'],
  'get-ci-details': ['name', 'type', 'status', 'openEvents', 'lastSeen'],
  'search-relationships': ['sourceName', 'type', 'targetName', 'confidence'],
  'analytics-query': ['metric', 'ciName', 'value', 'unit', 'count', 'from', 'to'],
  'search-events': ['eventId', 'severity', 'status', 'ciName', 'title', 'firstOccurrence'],
  'get-context': ['cis', 'allOpenEvents', 'openEvents', 'time'],
};
const WIDTH = 44;

const cell = (value: unknown): string => (value === null || value === undefined ? '–' : clip(String(value), WIDTH));

/** `search-events ciId=… (20 of 340):` and its rows. */
const callText = ({ tool, params, result, total, error }: Answered['toolCalls'][number]): string => {
  const given = Object.entries(params).map(([name, value]) => ` ${name}=${clip(value, WIDTH)}`);
  const head = `${tool}${given.join('')} (${error ?? `${result.length} of ${total}`})`;
  if (result.length === 0) return head;
  const columns = COLUMNS[tool] ?? Object.keys(firstItem(result));
  const rows = result.map((row) => columns.map((name) => cell(row[name])));
  return `${head}:\n${tableOf(
    columns.map((title) => ({ title })),
    rows,
  )}`;
};

/** Sentences with the numbers of their evidence; words that stand on none, such as examples, come as they are. */
const answerText = (answered: Answered): string => {
  const { claims, citations, response, toolCalls, generatedBy, model, degraded, suggestions, notUnderstood } = answered;
  const numbers = new Map(citations.map(({ ref }, i) => [ref, i + 1]));
  const said = claims.map(({ text, refs }) => `${text} [${refs.map((ref) => numbers.get(ref) ?? ref).join(', ')}]`);
  const by = generatedBy === 'rules' ? 'rules' : `model ${model}`;
  const lost = notUnderstood.map((text) => `"${text}"`).join(', ');
  return [
    ...(lost === '' ? [] : [`Not understood: ${lost}`]),
    ...(said.length === 0 ? [response] : said),
    ...citations.map(({ ref, kind, label, href }) => `[${numbers.get(ref)}] ${kind} "${clip(label, LABEL)}" ${href}`),
    ...toolCalls.map(callText),
    `(${degraded === null || degraded === 'no_model' ? by : `${by}, ${degraded}`}; go on with --conversation ${answered.conversationId})`,
    ...suggestions.map((text) => `? ${text}`),
  ].join('\n');
};

/** Prints the answer; fails when the question was not understood, or nothing that was asked for can be said. */
export const addAsk = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('ask'))
    .description('ask the chatbot about events, configuration items and numbers')
    .argument('<question...>', 'in English; quote names of several words')
    .option('--conversation <id>', 'goes on with this conversation')
    .option('--ci <ci>', 'id or name of the configuration item that "it" is')
    .action(async (words: readonly string[], options: AskOptions) => {
      const message = words.join(' ').trim();
      if (message === '')
        throw new CliError('say what you want to know, such as faultline ask "which events are open?"');
      const body = {
        message,
        ...(options.conversation !== undefined && { conversationId: options.conversation }),
        ...(options.ci !== undefined && { context: { currentCI: options.ci } }),
      };
      const answered = await clientOf(options).post<Answered>('/api/chatbot', body);
      show(screen, options, answered, answerText);
      if (answered.abstained) throw new CliError('nothing that is known answers this');
    });
