import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';

type Methods = Record<string, (...asked: unknown[]) => unknown>;

/** Reads of the stores by a request; records are left out, of which every change begins with a read. */
const READS = [
  ...['events', 'eventCounts', 'eventHistory', 'eventAggregates', 'eventSummaries', 'sweeps', 'groupRows'],
  ...[
    'correlation',
    'correlationHistory',
    'topology',
    'graph',
    'matcher',
    'counts',
    'history',
    'estate',
    'searchIndex',
  ],
] as const;
const WRITES = { records: ['put', 'remove'], eventLog: ['append', 'request'], cis: null, relationships: null } as const;

const busy = (read: string): Fault => new Fault('unavailable', `${read} was asked after the write`);

/**
 * From now on whatever was written makes the stores refuse all reads, until it is called again: so answers a request whose reads fail after
 * its write. Returns what puts it right.
 */
export const busyAfterWriting = (ports: Ports): (() => void) => {
  let hasWritten = false;
  const undo: (() => void)[] = [];
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
            hasWritten ? Promise.reject(busy(`${port}.${name}`)) : method(...asked),
      );
  for (const [port, names] of Object.entries(WRITES))
    for (const name of names ?? Object.keys(ports[port as keyof typeof WRITES]))
      wrap(port, name, (method) => async (...asked) => {
        const done = await method(...asked);
        hasWritten = true;
        return done;
      });
  return () => {
    for (const one of undo.reverse()) one();
  };
};
