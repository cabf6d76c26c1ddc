import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Clock } from '#domain/ports/clock.ts';
import type { Searched } from '#features/analyzer/rules/service-searches.ts';
import { startThread } from '#infra/start-thread.ts';
import type { InfrastructureOf } from './infrastructure-thread.ts';

/** Starts a thread that reads the environment of a tenant for the owner of the port. It ends when the port is closed. */
function connectInfrastructure(path: string, searched: Searched, now: number): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const worker = startThread(new URL('./infrastructure-thread.ts', import.meta.url), {
    workerData: { ...searched, path, now, port: port2 } satisfies InfrastructureOf,
    transferList: [port2],
  });
  worker.unref();
  // Its port is closed then, which notifies the reader.
  worker.on('error', () => {});
  return port1;
}

/** Null for a database in memory, which only one connection sees. */
export const infrastructureIn = (path: string | null, { now }: Clock): ((searched: Searched) => MessagePort) | null =>
  path === null ? null : (searched) => connectInfrastructure(path, searched, now());
