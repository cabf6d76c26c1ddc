import { InvalidArgumentError, Option } from 'commander';
import { CliError } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, tokenOf } from '#infra/cli/client/connection.ts';
import type { QualityMeasure } from '#infra/cli/commands/feature.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import type { Screen } from '#infra/cli/terminal/screen.ts';
import { demonstrate } from './show/run.ts';
import { summaryTable } from './show/tables.ts';
import type { ServerAccess } from './show/tenant.ts';

interface Options extends ConnectionOptions {
  readonly seed?: number;
}

const SILENT: Screen = { print: () => {}, isTerminal: false };

const seedOf = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number up to 999999999');
  return Number(text);
};

/** Plays the demo's day to a server and holds what comes of it against the truth. */
const measure = async (
  access: ServerAccess,
  { seed = 1, json = false }: Options,
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
    await measure({ url: (options.url ?? '').replace(/(?<!\/)\/+$/, ''), token }, options, environment);
    return;
  }
  const own = await environment.openOwnServer(0);
  try {
    await measure(own, options, environment);
  } finally {
    await own.stop();
  }
};

/** Of a day whose faults its generator knows. */
export const truth: QualityMeasure = {
  option: new Option('--demo', "plays the demo's day to a new tenant and counts; without --url on a server of its own"),
  others: [new Option('--seed <n>', 'with --demo: another seed is another day').argParser(seedOf).default(1)],
  words: 'or, with --demo, by a known truth',
  run: measureDemo,
};
