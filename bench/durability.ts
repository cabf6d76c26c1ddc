/** The durable path of embedded mode against simpler ones, on copies of one directory, in turns. */

import { recordOf } from '#domain/record-of.ts';
import { median, percentile, run } from './load.ts';
import type { Row } from './report.ts';
import { bulks, PER_BULK, singles } from './requests.ts';
import { onCopy } from './server.ts';
import type { Storm } from './storm.ts';

const ROUNDS = 5;
/** A simpler one takes the place of today's from here on. */
const ENOUGH = 0.9;
const BULK = { connections: 12, warmupMs: 2_000, durationMs: 5_000 };
const SINGLE = { connections: 64, warmupMs: 2_000, durationMs: 5_000 };
const RATE = 1_500;

const VARIANTS = {
  today: 'log in files of its own, one thread that applies, one for checkpoints',
  'no-checkpoint-thread': 'the applying thread makes checkpoints itself',
  'no-journal-thread': "libuv's threads write the log",
  'journal-of-rows': 'the log is rows of a second SQLite file',
  'one-thread': 'no log and no threads: a commit for each batch',
} as const;
type Variant = keyof typeof VARIANTS;
const NAMES = Object.keys(VARIANTS) as Variant[];

const MEASURES = {
  bulk: 'events/s in bulk',
  single: 'single events/s',
  p99: `p99 of singles at ${RATE}/s, ms`,
} as const;
type Measured = Readonly<Record<keyof typeof MEASURES, number>>;

interface Options {
  /** Filled; only copies of it are changed. */
  readonly directory: string;
  readonly storm: Storm;
  readonly progress: (text: string) => void;
  /** Besides today's; all when it is undefined. */
  readonly variants: readonly string[] | undefined;
}

const measured = ({ directory, storm }: Options, variant: Variant): Promise<Measured> => {
  const preload = ['--import', `./bench/durability-variants.ts?${variant}`];
  return onCopy(directory, (url) => measuredOn(url, storm, variant), preload);
};

async function measuredOn(url: string, storm: Storm, variant: Variant): Promise<Measured> {
  const bulk = await run({ ...BULK, url, requests: bulks(storm.fork(1), 600) });
  const single = await run({ ...SINGLE, url, requests: singles(storm.fork(3), 60_000) });
  const steady = await run({ ...SINGLE, url, requests: singles(storm.fork(4), 20_000), rate: RATE });
  const refused = bulk.refused + single.refused + steady.refused;
  if (refused > 0) throw new Error(`${variant}: ${refused} requests refused`);
  return {
    bulk: (bulk.replies * PER_BULK) / bulk.seconds,
    single: single.replies / single.seconds,
    p99: percentile(steady.latencies, 0.99),
  };
}

/** Medians of five rounds; the ratio is the median of those of each round. */
export async function durability(options: Options): Promise<Row[]> {
  const names = NAMES.filter((name) => name === 'today' || (options.variants?.includes(name) ?? true));
  const all = recordOf(NAMES, (): Measured[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    // Each begins a round now and then.
    for (let place = 0; place < names.length; place++) {
      const name = names[(round + place) % names.length]!;
      options.progress(`durability: round ${round + 1} of ${ROUNDS}, ${name}`);
      all[name].push(await measured(options, name));
    }
  }
  return names.flatMap((name) =>
    (Object.keys(MEASURES) as (keyof Measured)[]).map((measure): Row => {
      const values = all[name].map((one) => one[measure]);
      const row = { what: `${name}: ${MEASURES[measure]}`, value: median(values), unit: '' };
      if (name === 'today') return { ...row, note: VARIANTS[name] };
      const ratios = values.map((value, round) => value / all.today[round]![measure]);
      const ratio = median(ratios);
      const isEnough = measure === 'p99' ? ratio <= 1 / ENOUGH : ratio >= ENOUGH;
      return {
        ...row,
        baseline: median(all.today.map((one) => one[measure])),
        of: 'today',
        note: `${isEnough ? 'within' : 'beyond'} 10 %; rounds: ${ratios.map((one) => one.toFixed(2)).join(', ')}`,
      };
    }),
  );
}
