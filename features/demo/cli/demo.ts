import { type Command, InvalidArgumentError } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { tokenOf } from '#cli/client/connection.ts';
import { analysisLines } from '#cli/commands/analysis-texts.ts';
import type { CliEnvironment, OwnServer } from '#cli/terminal/environment.ts';
import type { Screen } from '#cli/terminal/screen.ts';
import { assertDefined } from '#domain/assert.ts';
import { withoutTrailing } from '#domain/text.ts';
import { INCIDENTS_MS, QUIET_MS } from '#features/demo/rules/story.ts';
import { type Demonstrated, demonstrate, PROFILES } from './show/run.ts';
import { groupTable, incidentTable, summaryTable } from './show/tables.ts';
import type { DemoTenant, ServerAccess } from './show/tenant.ts';

interface DemoCommandOptions {
  readonly url?: string;
  readonly token?: string;
  readonly seed: number;
  readonly port: number;
  readonly keep?: boolean;
  readonly json?: boolean;
}

const HOUR = 3_600_000;
const SILENT: Screen = { print: () => {}, isTerminal: false };

const wholeNumber = (max: number) => (text: string) => {
  if (!/^\d{1,9}$/.test(text) || Number(text) > max)
    throw new InvalidArgumentError(`expected a whole number up to ${max}`);
  return Number(text);
};

const printResults = (screen: Screen, { story, analysed, reports }: Demonstrated): void => {
  const [first] = reports;
  if (!first) return;
  screen.print(`\nGroups (profile ${first.profile}; "expected" is the generator's ground truth)`);
  screen.print(groupTable(first));
  screen.print('\nIncidents: expected and detected');
  screen.print(incidentTable(first, story));
  screen.print('\nNoise reduction and accuracy');
  screen.print(summaryTable(reports));
  if (analysed === null) return;
  screen.print(`\nRoot cause of ${analysed.correlationId}, a group of ${analysed.events} events (${analysed.eventId})`);
  screen.print(analysisLines(analysed.analysis).join('\n'));
};

/** The demo does not stop a server that was running before, which retains the tenants of the demo. */
const whereItIs = (url: string, isOwn: boolean, tenants: readonly DemoTenant[]): string =>
  isOwn
    ? `Server still running at ${url} (documentation: ${url}/docs); stop it with Ctrl-C. Try:`
    : [
        `The server at ${url} has tenants ${tenants.map(({ id }) => id).join(' and ')}. Their tokens expire in 24h.`,
        'Delete them with DELETE /api/admin/tenants/{id}. Try:',
      ].join('\n');

/** `goesOn`: a server of the demo's own stays, or stops; it is null when the server was running before. */
export const printWhereToLook = (
  screen: Screen,
  { url }: ServerAccess,
  goesOn: boolean | null,
  tenants: readonly DemoTenant[],
): void => {
  const [first] = tenants;
  if (!first || goesOn === false) return;
  screen.print(`\n${whereItIs(url, goesOn !== null, tenants)}`);
  screen.print(`  npx faultline groups --url ${url} --token ${first.token}`);
  screen.print(`  curl -H 'Authorization: Bearer ${first.token}' '${url}/api/events/groups?sortBy=size'`);
};

const asJson = ({ story, analysed, reports }: Demonstrated): string =>
  JSON.stringify({
    seed: story.seed,
    estate: { cis: story.estate.cis.length, relationships: story.estate.links.length },
    incidents: story.incidents.map(({ id, title, at, hasCause }) => ({ id, title, at, hasCause })),
    reports,
    analysed,
  });

const runningServer = ({ url, token }: DemoCommandOptions): ServerAccess | null => {
  if (url === undefined) return null;
  const given = tokenOf(token);
  if (given === undefined)
    throw new CliError('--url requires --token of a platform administrator (the demo creates tenants)');
  return { url: withoutTrailing(url, '/'), token: given };
};

const announce = (screen: Screen, access: ServerAccess, own: OwnServer | null, seed: number): void => {
  const where = own ? 'local server, temporary data' : 'running server';
  const hours = (QUIET_MS + INCIDENTS_MS) / HOUR;
  screen.print(`Faultline demo at ${access.url} (${where}); seed ${seed}.`);
  screen.print(
    `Last ${hours.toFixed(1)} hours of one company: ${(QUIET_MS / HOUR).toFixed(1)}h of background noise, then incidents.`,
  );
};

const runDemo = async (
  options: DemoCommandOptions,
  { screen, timeAt, openOwnServer, stayUntilStopped }: CliEnvironment,
): Promise<void> => {
  const running = runningServer(options);
  const own = running ? null : await openOwnServer(options.port);
  const access = running ?? assertDefined(own, 'server');
  const { seed, json = false, keep = false } = options;
  const talk = json ? SILENT : screen;
  let staying = false;
  try {
    announce(talk, access, own, seed);
    const done = await demonstrate(access, { seed, now: await timeAt(access.url), profiles: PROFILES }, talk);
    if (json) screen.print(asJson(done));
    printResults(talk, done);
    staying = keep && own !== null;
    printWhereToLook(talk, access, own && staying, done.tenants);
  } finally {
    if (own && staying) stayUntilStopped(() => own.stop());
    else await own?.stop();
  }
};

export const addDemo = (program: Command, environment: CliEnvironment): Command =>
  program
    .command('demo')
    .description('replay 12 hours of monitoring traffic into a new tenant and compare groups with the ground truth')
    .option('--url <url>', 'server URL; without it the demo starts a local server')
    .option('--token <token>', 'token of a platform administrator, with --url; use @FILE to read it from a file')
    .option('--seed <n>', 'random seed', wholeNumber(999_999_999), 1)
    .option('--port <n>', 'port of the local server; 0 picks a free port', wholeNumber(65_535), 0)
    .option('--keep', 'keep the local server running')
    .option('--json', 'print JSON')
    .action((options: DemoCommandOptions) => runDemo(options, environment));
