import { parseArgs } from 'node:util';
import { readEnginesConfig } from '#infra/config.ts';
import { type Engines, startEngines } from './start-engines.ts';

const HELP = `npm run --silent engines -- [options]

Starts Kafka, Schema Registry, Elasticsearch and Neo4j on this machine and prints their addresses, one NAME=value a line.
Ctrl-C stops them.

  --data <folder>     keep the data there (default: a temporary folder, removed at the end)
  --keep              do not remove the temporary folder
  --port-base <port>  the first of seven ports in a row (default: free ones)
  --help              this text
`;

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

const leave = (code: number): never => process.exit(code);

const portBase = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_000)
    throw new Error('--port-base: expected a whole number from 1 to 65000');
  return port;
};

/** On a terminal npm passes on a Ctrl-C that has reached us already; what comes within this time is the same one. */
const SAME_SIGNAL_MS = 1_000;

/** Stops everything at the first signal, also during the start; the second one leaves at once, and the engines are killed. */
const stopOnSignal = (abort: AbortController, stop: () => void): void => {
  let first = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (abort.signal.aborted && performance.now() - first > SAME_SIGNAL_MS) leave(1);
      if (abort.signal.aborted) return;
      first = performance.now();
      tell('Stopping');
      abort.abort();
      stop();
    });
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      keep: { type: 'boolean', default: false },
      'port-base': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const abort = new AbortController();
  let engines: Engines | null = null;
  const stop = (code: number) => (engines === null ? undefined : void engines.stop().then(() => leave(code)));
  stopOnSignal(abort, () => stop(0));
  engines = await startEngines({
    ...readEnginesConfig(),
    data: values.data ?? null,
    keep: values.keep,
    portBase: portBase(values['port-base']),
    progress: tell,
    signal: abort.signal,
    died: (name, how) => {
      tell(`${name} ended with ${how}. The end of its output:\n${engines?.engine[name].lastWords()}`);
      stop(1);
    },
  });
  if (values.keep || values.data !== undefined) tell(`The data is in ${engines.data}`);
  for (const [name, address] of Object.entries(engines.addresses)) process.stdout.write(`${name}=${address}\n`);
  tell('Ctrl-C stops the engines');
};

main().catch((error: Error) => {
  tell(error.name === 'AbortError' ? 'Stopped' : error.message);
  leave(1);
});
