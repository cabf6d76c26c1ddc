import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { TOKEN } from './token.ts';

/** A program in a process of its own. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to its line with the URL. */
  readonly readyMs: number;
  stop(): Promise<void>;
}
/** What a process has used so far. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly residentMb: number;
}

/** What every server is started with. */
const COMMON = {
  PATH: '',
  FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
  FAULTLINE_LIMIT_SCALE: '0',
  FAULTLINE_LOG_LEVEL: 'warn',
  PORT: '0',
};

const children = new Set<ChildProcess>();
let program = process.cwd();

/** The folder of the program that is measured from now on. */
export const runIn = (folder: string): void => {
  program = folder;
};

const launched = (
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  more: readonly string[] = [],
): ChildProcess => {
  const options = [...nodeOptions, ...more];
  const child = spawn(process.execPath, [...options, script, ...args], {
    cwd: program,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr!.pipe(process.stderr);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
};
// Nothing is left behind by a run that is cut off.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** A profile of the server is made by adding `--cpu-prof` here. */
const nodeOptions: string[] = ['--v8-pool-size=0', '--disable-warning=ExperimentalWarning'];

/** Servers say it on standard error, the echo on standard output. */
const urlIn = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    for (const input of [child.stdout!, child.stderr!])
      createInterface({ input }).on('line', (line) => {
        const url = /http:\/\/[\w.:[\]]+/.exec(line)?.[0];
        if (url !== undefined) resolve(url);
      });
    child.once('exit', () => reject(new Error('The process ended before it was ready')));
  });

const running = async (child: ChildProcess): Promise<Running> => {
  const began = performance.now();
  const url = await urlIn(child);
  return {
    url,
    pid: child.pid!,
    readyMs: performance.now() - began,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
};

/** The server, as `npm start` runs it. */
export const startServer = (data: string): Promise<Running> => startWith({ FAULTLINE_DATA: data });
/** A server with these variables; `options` are of Node itself. */
export const startWith = (env: NodeJS.ProcessEnv, options: readonly string[] = []): Promise<Running> =>
  running(launched('main.ts', [], { ...COMMON, ...env }, options));

/** A bare HTTP server that reads the body and answers with a short text; with a file, when the body is on disk. */
export const startEcho = (file?: string): Promise<Running> =>
  running(launched('bench/echo.ts', file === undefined ? [] : [file], { PATH: '' }));

/** Runs a script to its end. */
export const runScript = async (script: string, ...args: readonly (string | number)[]): Promise<string> => {
  const child = launched(script, args.map(String), { PATH: '' });
  let out = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return out;
};

const readingOf = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);

/** Read from the server's own metrics. */
export const usageOf = async (url: string): Promise<Usage> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return {
    cpuSeconds: readingOf(text, 'process_cpu_seconds_total'),
    residentMb: readingOf(text, 'process_resident_memory_bytes') / 1024 / 1024,
  };
};
