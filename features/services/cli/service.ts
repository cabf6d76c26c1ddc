import type { Command } from 'commander';
import { known } from '#domain/known.ts';
import { forTerminal } from '#domain/texts/unseen.ts';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf } from '#infra/cli/client/connection.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { openProgress, type Progress } from '#infra/cli/terminal/progress.ts';
import type { Screen } from '#infra/cli/terminal/screen.ts';
import { addFind } from './find.ts';
import { followed } from './follow.ts';
import { type FoundReply, foundText, type ResultReply, servicesText } from './service-texts.ts';

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

/** Starts the analysis, or goes on with one; null when it has ended before. */
async function started(client: Client, session: string | undefined): Promise<string | null> {
  try {
    const body = session === undefined ? {} : { sessionId: session };
    return (await client.post<{ sessionId: string }>(PATH, body)).sessionId;
  } catch (error) {
    if (session !== undefined && error instanceof CliError && error.status === CONFLICT) return null;
    throw error;
  }
}

/** Shows each step as it goes on. */
async function watch(client: Client, session: string, screen: Screen): Promise<void> {
  let bar: Progress | null = null;
  let [step, at] = ['', 0];
  const path = `/sse/business-service-analyzer/infrastructure-analysis/progress/${session}`;
  for await (const told of followed(client, path)) {
    if (told.type === 'error') throw new CliError(`the analysis has failed: ${told.error}`);
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
  if (first.status === 'failed') throw new CliError(`the analysis has failed: ${first.error}`);
  const services = [...first.services];
  for (let n = 2; n <= first.pagination.pages; n++) services.push(...(await page(n)).services);
  return { ...first, services };
}

const named = ({ services }: ResultReply, names: readonly string[]): FoundReply[] =>
  names.map((name) => {
    const found = services.find((service) => service.name.toLowerCase() === name.toLowerCase());
    if (found === undefined) throw new CliError(`no service ${name} was found; the names are in the table`);
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
  if (truncated) return `${name}: not saved, it has more CIs than a service may have`;
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
  const result = await resultOf(client, session ?? known(options.session, 'session'));
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
    .description('look for business services in the whole CMDB, show them, and save those you choose')
    .option('--session <id>', 'go on with this session, or show its result again')
    .option('--min-confidence <share>', 'show and save none below it', '0.5')
    .option('--show <name>', 'also with its CIs and what it stands on; several times for several', collected)
    .option('--save <name>', 'make a business service of it; several times for several', collected)
    .option('--save-all', 'make a business service of each that is shown')
    .action((options: DiscoverOptions) => discover(options, screen));
  addFind(service, screen);
};
