/** The chaos program: see test/faults/README.md, or `npm run chaos -- --help`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnginesConfig } from '#infra/config.ts';
import { startEngines } from '#infra/engines/start-engines.ts';
import { systemClock } from '#infra/system/clock.ts';
import { FAULTS } from './faults.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { jsonLine, problemLines, summary, table } from './report.ts';
import { type Result, runSeed } from './run.ts';

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

const chosenFaults = ({ faults }: Options): string[] => {
  const known = Object.keys(FAULTS);
  const unknown = faults?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`--faults: there is no ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return faults === null ? known : [...faults];
};

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return console.log(HELP);
  const faults = chosenFaults(options);
  const logs = options.logs ?? mkdtempSync(join(tmpdir(), 'faultline-chaos-'));
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort());
  const engines = await startEngines({ ...readEnginesConfig(), progress: tell, signal: abort.signal });
  const results: Result[] = [];
  abort.signal.addEventListener('abort', () => void engines.stop().then(() => process.exit(1)));
  try {
    for (const seed of options.seeds) {
      const run = `c${seed}-${systemClock.now().toString(36)}`;
      const { seconds } = options;
      const result = await runSeed(engines, {
        seed,
        run,
        faults,
        seconds,
        logs: join(logs, String(seed)),
        progress: tell,
      });
      results.push(result);
      if (options.json) console.log(jsonLine(result));
      else for (const line of problemLines(result)) console.log(line);
    }
  } finally {
    await engines.stop();
  }
  if (!options.json) console.log(`${table(results)}\n${summary(results)}`);
  const isFine = results.every(({ problems }) => problems.length === 0);
  if (isFine && options.logs === null) rmSync(logs, { recursive: true });
  else tell(`The logs of the processes are in ${logs}`);
  process.exitCode = isFine ? 0 : 1;
};

main().catch((error: Error) => {
  tell(error.message);
  process.exit(1);
});
