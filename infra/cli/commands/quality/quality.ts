import { type Command, InvalidArgumentError, Option } from 'commander';
import { demonstrate } from '#features/demo/cli/show/run.ts';
import { summaryTable } from '#features/demo/cli/show/tables.ts';
import type { ServerAccess } from '#features/demo/cli/show/tenant.ts';
import { CliError } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show, tokenOf } from '#infra/cli/client/connection.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import type { Screen } from '#infra/cli/terminal/screen.ts';
import { TIME_RANGES } from '#schemas/http/time.ts';
import { type QualityReply, qualityText } from './quality-texts.ts';

interface Options extends ConnectionOptions {
  readonly range: string;
  readonly demo?: boolean;
  readonly seed: number;
}

const SILENT: Screen = { print: () => {}, isTerminal: false };

const seedOf = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number up to 999999999');
  return Number(text);
};

/** Plays the demo's day to a server and holds what comes of it against the truth. */
const measure = async (
  access: ServerAccess,
  { seed, json = false }: Options,
  { screen, timeAt }: CliEnvironment,
): Promise<void> => {
  const options = { seed, now: await timeAt(access.url), profiles: ['calibrated'] } as const;
  const { reports } = await demonstrate(access, options, json ? SILENT : screen);
  const [report] = reports;
  if (json) screen.print(JSON.stringify({ seed, tenant: report?.tenant, measures: report?.measures }, null, 2));
  else screen.print(`The demo's day of seed ${seed}, against what its generator knows\n${summaryTable(reports)}`);
};

const measureDemo = async (options: Options, isGiven: boolean, environment: CliEnvironment): Promise<void> => {
  if (isGiven) {
    const token = tokenOf(options.token);
    if (token === undefined)
      throw new CliError('the demo makes a tenant of its own: give --token of a platform administrator');
    await measure({ url: (options.url ?? '').replace(/\/+$/, ''), token }, options, environment);
    return;
  }
  const own = await environment.openDemoServer(0);
  try {
    await measure(own, options, environment);
  } finally {
    await own.stop();
  }
};

export const addQuality = (program: Command, environment: CliEnvironment): Command =>
  connected(program.command('quality'))
    .description('how often causes were right, by what people said of groups; or, with --demo, by a known truth')
    .addOption(new Option('--range <range>', 'verdicts of the last').choices(Object.keys(TIME_RANGES)).default('7d'))
    .option('--demo', "plays the demo's day to a new tenant and counts; without --url on a server of its own")
    .option('--seed <n>', 'with --demo: another seed is another day', seedOf, 1)
    .action(async (options: Options, command: Command) => {
      if (options.demo === true)
        return measureDemo(options, command.getOptionValueSource('url') === 'cli', environment);
      const path = `/api/events/quality?${queryOf({ timeRange: options.range })}`;
      show(environment.screen, options, await clientOf(options).get<QualityReply>(path), qualityText);
    });
