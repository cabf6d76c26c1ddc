import { parseArgs } from 'node:util';

export const HELP = `npm run chaos -- [options]

Runs Faultline on the four real engines under load, breaks it on purpose, and compares what was acknowledged with what is stored.

  --seed <n>            one run (default: 1)
  --seeds <a>-<b>       one run for each
  --faults <a>,<b>      these faults only (default: all, in an order of the seed)
  --seconds <n>         how long each run breaks things (default: 120)
  --stop-strategy-events <n>
                        the first stop-strategy lasts until so many new events of one tenant wait (default: a minute)
  --upgrade-from <ref|folder>
                        every process begins with this older program, a commit or a folder; rolling-upgrade replaces it
  --json                the result as one line of JSON per run instead of tables
  --logs <folder>       where the processes write their logs (default: a temporary folder, kept when something is wrong)
  --help                this text
`;

export interface Options {
  readonly seeds: readonly number[];
  /** Null: all. */
  readonly faults: readonly string[] | null;
  readonly seconds: number;
  /** Null: the strategy is away for a minute. */
  readonly strategyEvents: number | null;
  /** A commit or a folder; null: all processes run the current program from the start. */
  readonly upgradeFrom: string | null;
  readonly json: boolean;
  readonly logs: string | null;
  readonly help: boolean;
}

const whole = (name: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name}: expected a whole number, not "${text}"`);
  return Number(text);
};

const seedsOf = (text: string): number[] => {
  const [from = '', to = from] = text.split('-');
  const [first, last] = [whole('seeds', from), whole('seeds', to)];
  if (last < first) throw new Error('--seeds: expected <first>-<last>');
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
};

/** Throws an Error for an unknown option, or an invalid value of one. */
export const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string' },
      faults: { type: 'string' },
      seconds: { type: 'string', default: '120' },
      'stop-strategy-events': { type: 'string' },
      'upgrade-from': { type: 'string' },
      json: { type: 'boolean', default: false },
      logs: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const events = values['stop-strategy-events'];
  return {
    strategyEvents: events === undefined ? null : whole('stop-strategy-events', events),
    upgradeFrom: values['upgrade-from'] ?? null,
    seeds: seedsOf(values.seeds ?? values.seed),
    faults: values.faults?.split(',') ?? null,
    seconds: whole('seconds', values.seconds),
    json: values.json,
    logs: values.logs ?? null,
    help: values.help,
  };
};
