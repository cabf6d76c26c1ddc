import type { Command } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { ReplyOf } from '#cli/client/replies.ts';
import type { CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, tableOf } from '#cli/terminal/screen.ts';
import { degradedWords } from '#domain/ai/degraded.ts';
import { firstItem } from '#domain/assert.ts';
import type { ChatBody } from '#features/questions/schemas/chat.ts';

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
  'search-relationships': ['type', 'confidence'],
  'analytics-query': ['metric', 'ciName', 'value', 'count', 'from', 'to'],
  'search-events': ['eventId', 'severity', 'status', 'place', 'title', 'from'],
  'get-context': ['cis', 'openEvents', 'time'],
  list_groups: ['id', 'state', 'severity', 'events', 'from', 'to'],
  get_group: ['id', 'state', 'severity', 'events', 'from', 'to'],
  what_changed: ['at', 'title', 'place'],
  find_similar: ['from', 'to', 'place', 'title', 'resolution'],
  impact_of: ['name', 'type', 'truncated'],
  path: [],
  service_health: ['name', 'criticality', 'status', 'score'],
  assess_change: ['ciName', 'level', 'score'],
  investigate: ['groupId', 'text'],
};
const WIDTH = 44;

const cell = (value: unknown): string => (value === null || value === undefined ? '–' : clip(String(value), WIDTH));

/** `search-events ciId=… (20 of 340):` and its rows. */
const callText = ({ tool, params, result, total, error }: Answered['toolCalls'][number]): string => {
  const given = Object.entries(params).map(([name, value]) => ` ${name}=${clip(value, WIDTH)}`);
  const head = `${tool}${given.join('')} (${error ?? `${result.length} of ${total}`})`;
  if (result.length === 0 || COLUMNS[tool]?.length === 0) return head;
  const columns = COLUMNS[tool] ?? Object.keys(firstItem(result));
  const rows = result.map((row) => columns.map((name) => cell(row[name])));
  const titles = columns.map((title) => ({ title }));
  return `${head}:\n${tableOf(titles, rows)}`;
};

/** Numbers the evidence of each sentence; sentences without evidence, such as examples, are unchanged. */
const answerText = (answered: Answered): string => {
  const { claims, citations, response, toolCalls, generatedBy, model, degraded, suggestions } = answered;
  const { notUnderstood, notes = [] } = answered;
  const numbers = new Map(citations.map(({ ref }, i) => [ref, i + 1]));
  const said = claims.map(({ text, refs }) => `${text} [${refs.map((ref) => numbers.get(ref) ?? ref).join(', ')}]`);
  const why = degradedWords(degraded);
  const byRules = why === null ? 'rules' : `rules: ${why}`;
  const by = generatedBy === 'rules' ? byRules : `model ${model}`;
  const lost = notUnderstood.map((text) => `"${text}"`).join(', ');
  return [
    ...(lost === '' ? [] : [`Ignored, not understood: ${lost}`]),
    ...(said.length === 0 ? [response] : said),
    ...notes.map((text) => `Note of the model, not verified: ${text}`),
    ...citations.map(({ ref, kind, label, href }) => `[${numbers.get(ref)}] ${kind} "${clip(label, LABEL)}" ${href}`),
    ...toolCalls.map(callText),
    `(${by}; continue with --conversation ${answered.conversationId})`,
    ...suggestions.map((text) => `? ${text}`),
  ].join('\n');
};

/** Prints the answer; fails if there is none. */
const addAsk = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('ask'))
    .description('ask the assistant about events, CIs and metrics')
    .argument('<question...>', 'question in English; quote names that contain spaces')
    .option('--conversation <id>', 'continue this conversation')
    .option('--ci <ci>', 'CI that "it" refers to (ID or name)')
    .action(async (words: readonly string[], options: AskOptions) => {
      const message = words.join(' ').trim();
      if (message === '') throw new CliError('missing question, for example: faultline ask "which events are open?"');
      const body = {
        message,
        ...(options.conversation !== undefined && { conversationId: options.conversation }),
        ...(options.ci !== undefined && { context: { currentCI: options.ci } }),
      };
      const answered = await clientOf(options).post<Answered>('/api/chatbot', body);
      show(screen, options, answered, answerText);
      if (answered.abstained) throw new CliError('no answer found');
    });

export const questions: CliFeature = { id: 'questions', commands: [{ place: 105, add: addAsk }] };
