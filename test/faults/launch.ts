import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';

export interface Launched {
  readonly process: ChildProcess;
  readonly url: string;
  /** Exit code, null after a signal. */
  readonly exited: Promise<number | null>;
}

interface LaunchOptions {
  readonly log?: string;
  readonly startMs?: number;
  /** Folder of the program; default: the tested one. */
  readonly folder?: string;
}

const START_MS = 30_000;

/**
 * Starts `main.ts` and waits for the line with its address. Its output is written to `log`, else to the console. Throws
 * an Error when it ends before it is ready or exceeds `startMs`; then it is killed.
 */
export const launch = async (
  env: Readonly<Record<string, string>>,
  { log, startMs = START_MS, folder = '.' }: LaunchOptions = {},
): Promise<Launched> => {
  const options = ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning'];
  const child = spawn(process.execPath, [...options, 'main.ts'], {
    env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  const kept = log === undefined ? null : createWriteStream(log, { flags: 'a' });
  for (const stream of [child.stdout!, child.stderr!]) {
    if (kept !== null) stream.pipe(kept, { end: false });
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      const url = /ready at (\S+)/.exec(said)?.[1];
      if (url) resolve(url);
    });
  }
  // The lines of an ordinary start and end are not shown among those of the tests.
  if (kept === null)
    child.stderr!.on('data', (chunk: Buffer) => {
      if (!/^(Faultline|User) /.test(chunk.toString())) process.stderr.write(chunk);
    });
  void exited.then((code) => reject(new Error(`the server ended with ${code} before it was ready:\n${said}`)));
  const timer = setTimeout(() => reject(new Error(`the server was not ready in time:\n${said}`)), startMs);
  try {
    return { process: child, url: await promise, exited };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
};
