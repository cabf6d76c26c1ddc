import { getCompileCacheDir } from 'node:module';
import { basename, dirname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread of ours, named after its file for diagnosis: it finds its compiled code beside this one, which halves
 * its start time, and has no environment otherwise.
 */
export function startThread(file: URL, options: Omit<WorkerOptions, 'env'>): Worker {
  const compiled = getCompileCacheDir();
  const name = basename(file.pathname).replace(/(-thread)?\.\w+$/, '');
  return new Worker(file, {
    name,
    // Threads warn by themselves, and refuse options of the process such as --v8-pool-size.
    execArgv: [
      ...process.execArgv.filter((option) => option.startsWith('--disable-warning=')),
      '--disable-warning=ExperimentalWarning',
    ],
    ...options,
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
  });
}
