import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread of ours: it finds its code compiled where this one does, which halves the time until it works, and sees no environment else. */
export function startThread(file: URL, options: Omit<WorkerOptions, 'env'>): Worker {
  const compiled = getCompileCacheDir();
  return new Worker(file, { ...options, env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) } });
}
