import { type Command, InvalidArgumentError } from 'commander';
import { known } from '#domain/known.ts';
import { INCIDENTS_MS, QUIET_MS } from '#features/demo/rules/story.ts';
import { CliError } from '#infra/cli/client/client.ts';
import { tokenOf } from '#infra/cli/client/connection.ts';
import { analysisLines } from '#infra/cli/commands/analysis-texts.ts';
import type { CliEnvironment, OwnServer } from '#infra/cli/terminal/environment.ts';
import type { Screen } from '#infra/cli/terminal/screen.ts';
import { type Demonstrated, demonstrate, PROFILES } from './show/run.ts';
import { groupTable, incidentTable, summaryTable } from './show/tables.ts';
import type { DemoTenant, ServerAccess } from './show/tenant.ts';

interface Options {
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
  screen.print(`\nGroups (profile ${first.profile}; "in truth" is what the generator knows)`);
  screen.print(groupTable(first));
  screen.print('\nIncidents and how they were understood');
  screen.print(incidentTable(first, story));
  screen.print('\nFrom payloads to what is left to look at, and how well groups match the truth');
  screen.print(summaryTable(reports));
  if (analysed === null) return;
  screen.print(`\nThe cause of ${analysed.correlationId}, a group of ${analysed.events} events (${analysed.eventId})`);
  screen.print(analysisLines(analysed.analysis).join('\n'));
};

/** A server that was running before is not the demo's to stop, and keeps the tenants that the demo made. */
const whereItIs = (url: string, isOwn: boolean, tenants: readonly DemoTenant[]): string =>
  isOwn
    ? `The server goes on at ${url} (documentation: ${url}/docs); stop it with Ctrl-C. Try:`
    : [
        `The server at ${url} keeps the tenants ${tenants.map(({ id }) => id).join(' and ')}; their tokens end in a day.`,
        'Delete them with DELETE /api/admin/tenants/{id}; their names stay taken for some time. Try:',
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

const runningServer = ({ url, token }: Options): ServerAccess | null => {
  if (url === undefined) return null;
  const given = tokenOf(token);
  if (given === undefined)
    throw new CliError('with --url the demo needs --token of a platform administrator: it makes tenants of its own');
  return { url: url.replace(/(?<!\/)\/+$/, ''), token: given };
};

const announce = (screen: Screen, access: ServerAccess, own: OwnServer | null, seed: number): void => {
  const where = own ? 'a server of its own, data in a temporary folder' : 'a running server';
  const hours = (QUIET_MS + INCIDENTS_MS) / HOUR;
  screen.print(`Faultline demo at ${access.url} (${where}); seed ${seed}.`);
  screen.print(
    `The last ${hours.toFixed(1)} hours of one company: ${(QUIET_MS / HOUR).toFixed(1)} h of ordinary background, then incidents.`,
  );
};

const runDemo = async (
  options: Options,
  { screen, timeAt, openOwnServer, stayUntilStopped }: CliEnvironment,
): Promise<void> => {
  const running = runningServer(options);
  const own = running ? null : await openOwnServer(options.port);
  const access = running ?? known(own, 'server');
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
    .description('play twelve hours of monitor traffic to a fresh tenant and compare the groups with the truth')
    .option('--url <url>', 'a running server; without it the demo starts one of its own')
    .option('--token <token>', 'of a platform administrator, with --url; @FILE reads it from a file')
    .option('--seed <n>', 'another seed is another day', wholeNumber(999_999_999), 1)
    .option('--port <n>', 'port of its own server; 0 picks a free one', wholeNumber(65_535), 0)
    .option('--keep', 'leave its own server running afterwards')
    .option('--json', 'print JSON for programs instead of tables')
    .action((options: Options) => runDemo(options, environment));
