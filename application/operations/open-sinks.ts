import { notFound } from '#domain/fault.ts';
import type { Pauses, Sinks, Untaken } from '#domain/pipeline/sinks.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Sink, SinkEvent, SinkEventBody } from '#domain/ports/sink.ts';

const RETAKE_MS = 15_000;

const isTold = (record: unknown): record is SinkEventBody => {
  const { id, happened } = (record ?? {}) as Partial<SinkEventBody>;
  return typeof id === 'string' && typeof happened === 'string';
};

/** A dead letter of embedded mode contains the sink event, one of distributed mode the value of its record. */
const sinkEventOf = (sink: Sink, { tenant, position, at, record }: Untaken): SinkEvent | null => {
  const told = isTold(record) ? record : sink.told(record);
  return told === null ? null : { ...told, tenant, position, at };
};

const tried = (sink: Sink, untaken: Untaken): SinkEvent | null => {
  try {
    return sinkEventOf(sink, untaken);
  } catch {
    return null;
  }
};

/** The sinks of all processes: their names, and the available operations where they do not run. */
export const openSinks = (
  sinks: readonly Sink[],
  { ports, pause }: { readonly ports: () => Ports; pause(pauses: Pauses): void },
): Sinks => {
  const named = (name: string): Sink => {
    const sink = sinks.find((one) => one.name === name);
    if (sink === undefined) throw notFound('Sink', name);
    return sink;
  };
  return {
    names: sinks.map(({ name }) => name),
    pause,
    whyNotRetaken: (name, untaken) => (tried(named(name), untaken) === null ? `Nothing to send to ${name}` : null),
    async retake(name, untaken) {
      const sink = named(name);
      const happening = sinkEventOf(sink, untaken);
      if (happening === null) return;
      const over = new AbortController();
      const take = () => sink.open(ports()).take([happening], { lag: 0, signal: over.signal });
      await ports()
        .deadline.atMost(RETAKE_MS, take)
        .finally(() => over.abort());
    },
  };
};
