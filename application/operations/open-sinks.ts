import { notFound } from '#domain/fault.ts';
import type { Pauses, Sinks, Untaken } from '#domain/pipeline/sinks.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Happening, Sink, Told } from '#domain/ports/sink.ts';

const RETAKE_MS = 15_000;

const isTold = (record: unknown): record is Told => {
  const { id, happened } = (record ?? {}) as Partial<Told>;
  return typeof id === 'string' && typeof happened === 'string';
};

/** A dead letter of embedded mode has what the sink was told, one of distributed mode the value that it was to be told of. */
const happeningOf = (sink: Sink, { tenant, position, at, record }: Untaken): Happening | null => {
  const told = isTold(record) ? record : sink.told(record);
  return told === null ? null : { ...told, tenant, position, at };
};

const tried = (sink: Sink, untaken: Untaken): Happening | null => {
  try {
    return happeningOf(sink, untaken);
  } catch {
    return null;
  }
};

/** The sinks of all processes: their names, and what may be asked of them where they do not run. */
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
    whyNotRetaken: (name, untaken) => (tried(named(name), untaken) === null ? `It tells ${name} nothing` : null),
    async retake(name, untaken) {
      const sink = named(name);
      const happening = happeningOf(sink, untaken);
      if (happening === null) return;
      const over = new AbortController();
      const take = () => sink.open(ports()).take([happening], { lag: 0, signal: over.signal });
      await ports()
        .deadline.atMost(RETAKE_MS, take)
        .finally(() => over.abort());
    },
  };
};
