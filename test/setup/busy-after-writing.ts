import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';

type Methods = Record<string, (...asked: unknown[]) => unknown>;

/** Reads of the stores by a request; records are left out, of which every change begins with a read. */
const READS = [
  'events',
  'eventCounts',
  'eventHistory',
  'eventAggregates',
  'eventSummaries',
  'sweeps',
  'groupRows',
  'correlation',
  'correlationHistory',
  'links',
  'topology',
  'graph',
  'matcher',
  'counts',
  'history',
  'estate',
  'searchIndex',
] as const;
const WRITES = { records: ['put', 'remove'], eventLog: ['append', 'request'], cis: null, relationships: null } as const;

const busy = (read: string): Fault => new Fault('unavailable', `${read} was asked after the write`);

/** A token's last use is noted beside the request, whenever that is done. */
const isUse = ([, kind, , body]: readonly unknown[]): boolean =>
  kind === 'token' && (body as { readonly lastUsedAt: number | null }).lastUsedAt !== null;

const BEGUN = 'http.server.request.start';

/**
 * Simulates a request whose reads fail after its write: from now on all of its reads are refused. Background writes do
 * not count. Returns the function that ends it.
 */
export const busyAfterWriting = (ports: Ports): (() => void) => {
  const request = new AsyncLocalStorage<{ hasWritten: boolean }>();
  const begin = (): void => request.enterWith({ hasWritten: false });
  subscribe(BEGUN, begin);
  const undo: (() => void)[] = [() => unsubscribe(BEGUN, begin)];
  const wrap = (port: string, name: string, made: (method: Methods[string]) => Methods[string]) => {
    const methods = ports[port as keyof Ports] as unknown as Methods;
    const method = methods[name]!;
    methods[name] = made(method);
    undo.push(() => {
      methods[name] = method;
    });
  };
  for (const port of READS)
    for (const name of Object.keys(ports[port]))
      wrap(
        port,
        name,
        (method) =>
          (...asked) =>
            request.getStore()?.hasWritten ? Promise.reject(busy(`${port}.${name}`)) : method(...asked),
      );
  for (const [port, names] of Object.entries(WRITES))
    for (const name of names ?? Object.keys(ports[port as keyof typeof WRITES]))
      wrap(port, name, (method) => async (...asked) => {
        const done = await method(...asked);
        const writer = request.getStore();
        if (writer && !isUse(asked)) writer.hasWritten = true;
        return done;
      });
  return () => {
    for (const one of undo.reverse()) one();
  };
};
