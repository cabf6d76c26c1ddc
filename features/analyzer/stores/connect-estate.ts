import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Clock } from '#domain/ports/clock.ts';
import type { Searched } from '#features/analyzer/rules/service-searches.ts';
import { startThread } from '#infra/start-thread.ts';
import type { EstateOf } from './estate-thread.ts';

/** Starts a thread that reads the estate of a tenant for whoever has the port. It ends when the port is closed. */
function connectEstate(path: string, searched: Searched, now: number): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const worker = startThread(new URL('./estate-thread.ts', import.meta.url), {
    workerData: { ...searched, path, now, port: port2 } satisfies EstateOf,
    transferList: [port2],
  });
  worker.unref();
  // Its port is closed then, which tells whoever waits for rows.
  worker.on('error', () => {});
  return port1;
}

/** Null for a database in memory, which only one connection sees. */
export const estatesIn = (path: string | null, { now }: Clock): ((searched: Searched) => MessagePort) | null =>
  path === null ? null : (searched) => connectEstate(path, searched, now());
