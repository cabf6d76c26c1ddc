import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Command } from './engine.ts';
import { baseVariables } from './run.ts';

/** A started program with all that it starts itself. */
export interface Child {
  readonly pid: number;
  /** How it ended; resolves once, never rejects. */
  readonly ended: Promise<string>;
  /** Sends a signal to the whole process group; nothing when it is gone. */
  signal(signal: NodeJS.Signals): void;
  /** Its output since it was started. */
  printed(): string;
}

/** As whom and where to write the output. */
export interface LaunchOptions {
  readonly log: string;
  /** User and group id to run as; null = the caller's. */
  readonly owner: number | null;
}

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, constants.signals[signal]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** A shell that kills the group when this process is gone, however it went: its standard input then ends. */
const guard = (pid: number): ChildProcess => {
  const shell = spawn('/bin/sh', ['-c', `read -r line; kill -9 -${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.unref();
  return shell;
};

const endOf = (process: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    process.once('error', (error) => resolve(error.message));
    process.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });

/** Starts a program in a process group of its own, so that a Ctrl-C for us does not reach it. */
export const launch = ({ program, args, folder, variables }: Command, { log, owner }: LaunchOptions): Child => {
  const output = openSync(log, 'a');
  const before = fstatSync(output).size;
  const process = spawn(program, args, {
    cwd: folder,
    env: { ...baseVariables(folder), ...variables },
    stdio: ['ignore', output, output],
    detached: true,
    ...(owner === null ? {} : { uid: owner, gid: owner }),
  });
  closeSync(output);
  const end = endOf(process);
  const { pid } = process;
  if (pid === undefined) throw new Error(`${program} cannot be started: it must exist and be executable`);
  const watch = guard(pid);
  const ended = end.then((how) => {
    watch.kill('SIGKILL');
    return how;
  });
  return {
    pid,
    ended,
    signal: (signal) => signalGroup(pid, signal),
    printed: () => readFileSync(log).subarray(before).toString(),
  };
};
