import type { Command } from 'commander';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf } from '#cli/client/connection.ts';
import type { ReplyOf } from '#cli/client/replies.ts';
import { citationLines, marked } from '#cli/commands/cited-texts.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { openProgress, type Progress } from '#cli/terminal/progress.ts';
import { count, counted, type Screen, tableOf } from '#cli/terminal/screen.ts';
import { assertDefined } from '#domain/assert.ts';
import { percent } from '#domain/numbers.ts';
import { forTerminal } from '#domain/texts/unseen.ts';
import type { AnalysisResult } from '#features/analyzer/schemas/infrastructure.ts';
import { pause } from '#infra/wait.ts';
import { addFind } from './find.ts';

/** One page of a result. */
type ResultReply = ReplyOf<typeof AnalysisResult>;
type FoundReply = ResultReply['services'][number];

/** `2 frontend, 1 data`. */
const tierText = (tiers: FoundReply['tiers']): string =>
  Object.entries(tiers)
    .filter(([, members]) => members > 0)
    .map(([tier, members]) => `${members} ${tier}`)
    .join(', ');

/** Services below the confidence of the table. */
const leftOutText = (services: number, shown: number): string => {
  const left = services - shown;
  if (left <= 0) return '';
  return ` ${count(left)} of them ${left === 1 ? 'is' : 'are'} hidden (below --min-confidence).`;
};

const summaryText = ({ statistics, sessionId }: ResultReply, shown: number): string => {
  const { cis, services, unassigned, hubs, truncated } = statistics;
  const found = `${counted(services, 'service')} among ${counted(cis, 'CI')}.${leftOutText(services, shown)}`;
  const none =
    unassigned === 0
      ? 'Each CI belongs to one'
      : `${counted(unassigned, 'CI')} ${unassigned === 1 ? 'belongs' : 'belong'} to none`;
  const carrying = hubs === 0 ? '' : `, ${count(hubs)} of them ${hubs === 1 ? 'a shared hub' : 'shared hubs'}`;
  const cut = truncated ? ' The CMDB has more CIs than were read.' : '';
  return `${found} ${none}${carrying}.${cut} Session ${sessionId}.`;
};

/** Services as a table, the surest first. */
function servicesText(result: ResultReply, shown: readonly FoundReply[]): string {
  if (result.services.length === 0)
    return `${summaryText(result, 0)}\nNo services found. Add relationships, or submit scans with connections.`;
  const table = tableOf(
    [
      { title: 'service', width: 30 },
      'category',
      { title: 'CIs', right: true },
      { title: 'confidence', right: true },
      { title: 'tiers', width: 34 },
    ],
    shown.map(({ name, category, size, confidence, tiers }) => [
      name,
      category,
      count(size),
      percent(confidence),
      tierText(tiers),
    ]),
  );
  return `${table}\n${summaryText(result, shown.length)}`;
}

/** One service with its members and what it stands on. */
const foundText = ({ evidence, members, ...service }: FoundReply, { citations }: ResultReply): string => {
  const refs = new Set(evidence.flatMap((sentence) => sentence.refs));
  return [
    `${service.name}: ${service.category}, ${percent(service.confidence)} confidence`,
    ...evidence.map((sentence) => marked(sentence.text, sentence.refs)),
    tableOf(
      ['CI', 'type', 'tier', 'role', { title: 'confidence', right: true }],
      members.map(({ name, type, tier, role, confidence }) => [
        name,
        type,
        tier,
        role.replaceAll('-', ' '),
        // The CI that stands for the service itself has no role in it.
        confidence === 0 ? '–' : percent(confidence),
      ]),
    ),
    ...citationLines(citations.filter(({ ref }) => refs.has(ref))),
  ].join('\n');
};

/** Messages of a progress stream. */
interface ProgressMessage {
  readonly type: string;
  readonly step?: string;
  readonly message?: string;
  readonly current?: number;
  readonly total?: number;
  readonly error?: string;
}
interface Numbered {
  readonly id: number;
  readonly told: ProgressMessage;
}

const ID = /^id: (\d+)$/m;
const DATA = /^data: (.*)$/m;
/** Number of attempts to reopen a broken connection, and the pause between them in ms. */
const TRIES = 20;
const REST_MS = 1_000;

const numberedIn = (block: string): Numbered[] => {
  const [id, data] = [ID.exec(block)?.[1], DATA.exec(block)?.[1]];
  return id === undefined || data === undefined ? [] : [{ id: Number(id), told: JSON.parse(data) as ProgressMessage }];
};

/** Events of one connection, to where it ends or breaks. */
async function* eventsOf(client: Client, path: string): AsyncGenerator<Numbered> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of client.download(path)) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.flatMap(numberedIn);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
  }
}

/** Yields all events of a stream once, over any number of connections. Ends with the final event. */
async function* followed(client: Client, path: string): AsyncGenerator<ProgressMessage> {
  let seen = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    for await (const { id, told } of eventsOf(client, path)) {
      if (id <= seen) continue;
      seen = id;
      tries = 0;
      yield told;
      if (told.type !== 'progress') return;
    }
    await pause(REST_MS);
  }
  throw new CliError('lost progress updates; the analysis is still running, check it with --session');
}

interface DiscoverOptions extends ConnectionOptions {
  readonly session?: string;
  readonly minConfidence: string;
  readonly show?: string[];
  readonly save?: string[];
  readonly saveAll?: boolean;
}

const PATH = '/api/business-service-analyzer/infrastructure-analysis';
const PAGE = 50;
const CONFLICT = 409;

/** Starts the analysis, or resumes one; null when it has already ended. */
async function started(client: Client, session: string | undefined): Promise<string | null> {
  try {
    const body = session === undefined ? {} : { sessionId: session };
    return (await client.post<{ sessionId: string }>(PATH, body)).sessionId;
  } catch (error) {
    if (session !== undefined && error instanceof CliError && error.status === CONFLICT) return null;
    throw error;
  }
}

/** Shows each step while it runs. */
async function watch(client: Client, session: string, screen: Screen): Promise<void> {
  let bar: Progress | null = null;
  let [step, at] = ['', 0];
  const path = `/sse/business-service-analyzer/infrastructure-analysis/progress/${session}`;
  for await (const told of followed(client, path)) {
    if (told.type === 'error') throw new CliError(`analysis failed: ${told.error}`);
    const { current = 0, total = 0 } = told;
    if (told.type === 'progress' && told.step !== step) {
      bar?.done();
      [step, at] = [told.step ?? '', 0];
      bar = openProgress(screen, step, total);
    }
    if (current > at) bar?.step(current - at);
    at = Math.max(at, current);
  }
  bar?.done();
}

/** All services of a result. */
async function resultOf(client: Client, session: string): Promise<ResultReply> {
  const page = (n: number) =>
    client.get<ResultReply>(
      `${PATH}/${encodeURIComponent(session)}?${queryOf({ limit: String(PAGE), page: String(n) })}`,
    );
  const first = await page(1);
  if (first.status === 'failed') throw new CliError(`analysis failed: ${first.error}`);
  const services = [...first.services];
  for (let n = 2; n <= first.pagination.pages; n++) services.push(...(await page(n)).services);
  return { ...first, services };
}

const named = ({ services }: ResultReply, names: readonly string[]): FoundReply[] =>
  names.map((name) => {
    const found = services.find((service) => service.name.toLowerCase() === name.toLowerCase());
    if (found === undefined) throw new CliError(`no service named ${name}; the table lists the names`);
    return found;
  });

/** Those to be saved. */
function chosen(
  result: ResultReply,
  sure: readonly FoundReply[],
  { save = [], saveAll }: DiscoverOptions,
): FoundReply[] {
  return [...new Set([...named(result, save), ...(saveAll === true ? sure : [])])];
}

async function saved(client: Client, { name, category, members, truncated }: FoundReply): Promise<string> {
  if (truncated) return `${name}: not saved: too many CIs for one service`;
  const components = members.map(({ ciId, role }) => ({ ci_id: ciId, role: role.replaceAll('-', ' ') }));
  const description = `Found by infrastructure analysis: ${category}`;
  try {
    const { id } = await client.post<{ id: string }>('/v1/services', { name, description, components });
    return `${name}: saved as ${id}`;
  } catch (error) {
    if (error instanceof CliError && error.status !== null) return `${name}: not saved, ${error.reason}`;
    throw error;
  }
}

function confidenceIn({ minConfidence }: DiscoverOptions): number {
  const least = Number(minConfidence);
  if (!(least >= 0 && least <= 1))
    throw new CliError(`--min-confidence: expected a number from 0 to 1, got ${minConfidence}`);
  return least;
}

async function discover(options: DiscoverOptions, screen: Screen): Promise<void> {
  const least = confidenceIn(options);
  const client = clientOf(options);
  const session = await started(client, options.session);
  // Lines of progress are no JSON.
  const watched: Screen = options.json === true ? { isTerminal: false, print: () => undefined } : screen;
  if (session !== null) await watch(client, session, watched);
  const result = await resultOf(client, session ?? assertDefined(options.session, 'session'));
  const sure = result.services.filter(({ confidence }) => confidence >= least);
  const savedLines: string[] = [];
  for (const service of chosen(result, sure, options)) savedLines.push(await saved(client, service));
  if (options.json === true) screen.print(JSON.stringify({ ...result, services: sure, saved: savedLines }, null, 2));
  else {
    const found = named(result, options.show ?? []).map((service) => foundText(service, result));
    for (const text of [servicesText(result, sure), ...found, ...savedLines]) screen.print(forTerminal(text));
  }
}

const collected = (value: string, before: string[] = []): string[] => [...before, value];

export const addService = (program: Command, { screen }: CliEnvironment): void => {
  const service = program.command('service').description('find business services');
  connected(service.command('discover'))
    .description('discover business services in the CMDB and save selected ones')
    .option('--session <id>', 'continue or show this session')
    .option('--min-confidence <share>', 'minimum confidence to show and save', '0.5')
    .option('--show <name>', 'show CIs and evidence (repeatable)', collected)
    .option('--save <name>', 'save as business service (repeatable)', collected)
    .option('--save-all', 'save all shown services')
    .action((options: DiscoverOptions) => discover(options, screen));
  addFind(service, screen);
};
