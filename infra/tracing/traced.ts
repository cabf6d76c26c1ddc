import type { EventLog } from '#domain/ports/event-log.ts';
import type { Sink } from '#domain/ports/sink.ts';
import type { Tracing } from '#domain/ports/tracing/tracing.ts';

/** Shows how long requests wait until their records are accepted. */
export const tracedLog = (log: EventLog, tracing: Tracing): EventLog => ({
  room: () => log.room(),
  caughtUp: () => log.caughtUp(),
  append: (tenant, records) => tracing.during('accept', [tracing.current()], () => log.append(tenant, records)),
  request: (tenant, records, options) =>
    tracing.during('accept', [tracing.current()], () => log.request(tenant, records, options)),
});

export const tracedSink = (sink: Sink, tracing: Tracing): Sink => ({
  kind: sink.kind,
  name: sink.name,
  input: sink.input,
  delayMs: sink.delayMs,
  ...(sink.everyMs !== undefined && { everyMs: sink.everyMs }),
  ...(sink.isForEngines === true && { isForEngines: true }),
  told: (value) => sink.told(value),
  open(ports) {
    const opened = sink.open(ports);
    const name = `sink ${sink.name}`;
    return { take: (batch, about) => tracing.during(name, batch.map(tracing.of), () => opened.take(batch, about)) };
  },
});
