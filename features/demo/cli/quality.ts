import { InvalidArgumentError, Option } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, tokenOf } from '#cli/client/connection.ts';
import type { QualityMeasure } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import type { Screen } from '#cli/terminal/screen.ts';
import { demonstrate } from './show/run.ts';
import { summaryTable } from './show/tables.ts';
import type { ServerAccess } from './show/tenant.ts';

interface MeasureOptions extends ConnectionOptions {
  readonly seed?: number;
}

const SILENT: Screen = { print: () => {}, isTerminal: false };

const seedOf = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number up to 999999999');
  return Number(text);
};

/** Plays the demo's day to a server and compares the results with the truth. */
const measure = async (
  access: ServerAccess,
  { seed = 1, json = false }: MeasureOptions,
  { screen, timeAt }: CliEnvironment,
): Promise<void> => {
  const options = { seed, now: await timeAt(access.url), profiles: ['calibrated'] } as const;
  const { reports } = await demonstrate(access, options, json ? SILENT : screen);
  const [report] = reports;
  if (json) screen.print(JSON.stringify({ seed, tenant: report?.tenant, measures: report?.measures }, null, 2));
  else screen.print(`Demo day (seed ${seed}) vs. ground truth\n${summaryTable(reports)}`);
};

const measureDemo = async (options: MeasureOptions, isGiven: boolean, environment: CliEnvironment): Promise<void> => {
  if (isGiven) {
    const token = tokenOf(options.token);
    if (token === undefined)
      throw new CliError('--url requires --token of a platform administrator (the demo creates a tenant)');
    await measure({ url: options.url ?? '', token }, options, environment);
    return;
  }
  const own = await environment.openOwnServer(0);
  try {
    await measure(own, options, environment);
  } finally {
    await own.stop();
  }
};

/** Measures of a day whose faults are known by its generator. */
export const truth: QualityMeasure = {
  option: new Option('--demo', 'replay the demo into a new tenant (local server unless --url)'),
  others: [new Option('--seed <n>', 'random seed (with --demo)').argParser(seedOf).default(1)],
  words: 'or, with --demo, against the ground truth',
  run: measureDemo,
};
