/** The chaos program: see test/faults/README.md, or `npm run chaos -- --help`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnginesConfig } from '#infra/config.ts';
import { systemClock } from '#infra/system/time.ts';
import { type Engines, startEngines } from '#tools/engines/start-engines.ts';
import { FAULTS, mendEngines } from './faults.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { CURRENT, openProgram } from './program.ts';
import { jsonLine, problemLines, summary, table } from './report.ts';
import { type Result, type RunOptions, runSeed } from './run.ts';

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

const chosenFaults = ({ faults }: Options): string[] => {
  const known = Object.keys(FAULTS);
  const unknown = faults?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`--faults: there is no ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return faults === null ? known : [...faults];
};

/** Null when the run itself failed; the next one can still succeed. */
const oneSeed = async (
  engines: Engines,
  seed: number,
  asked: Pick<RunOptions, 'faults' | 'seconds' | 'strategyEvents' | 'beginsWith' | 'logs'>,
): Promise<Result | null> => {
  const run = `c${seed}-${systemClock.now().toString(36)}`;
  try {
    return await runSeed(engines, { seed, run, ...asked, progress: tell });
  } catch (error) {
    tell(`seed ${seed} could not be finished: ${(error as Error).stack}`);
    await mendEngines(engines);
    return null;
  }
};

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return console.log(HELP);
  const faults = chosenFaults(options);
  const from = options.upgradeFrom === null ? null : openProgram(options.upgradeFrom, tell);
  const beginsWith = from?.folder ?? CURRENT;
  const logs = options.logs ?? mkdtempSync(join(tmpdir(), 'faultline-chaos-'));
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort());
  const engines = await startEngines({ ...readEnginesConfig(), progress: tell, signal: abort.signal });
  const results: Result[] = [];
  let broken = 0;
  // Findings so far are reported all the same.
  abort.signal.addEventListener('abort', () => {
    if (!options.json && results.length > 0) console.log(`${table(results)}\n${summary(results)}`);
    void engines.stop().then(() => process.exit(1));
  });
  try {
    for (const seed of options.seeds) {
      const { seconds, strategyEvents } = options;
      const asked = { faults, seconds, strategyEvents, beginsWith, logs: join(logs, String(seed)) };
      const result = await oneSeed(engines, seed, asked);
      if (result === null) broken += 1;
      else {
        results.push(result);
        if (options.json) console.log(jsonLine(result));
        else for (const line of problemLines(result)) console.log(line);
      }
    }
  } finally {
    await engines.stop();
    from?.remove();
  }
  if (!options.json) console.log(`${table(results)}\n${summary(results)}`);
  const isFine = broken === 0 && results.every(({ problems }) => problems.length === 0);
  if (isFine && options.logs === null) rmSync(logs, { recursive: true });
  else tell(`The logs of the processes are in ${logs}`);
  process.exitCode = isFine ? 0 : 1;
};

main().catch((error: Error) => {
  tell(error.message);
  process.exit(1);
});
