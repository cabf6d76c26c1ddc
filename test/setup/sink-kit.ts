import type { Incoming, Saved } from '#domain/event/incoming.ts';
import type { Fold } from '#domain/pipeline/processor.ts';
import type { OpenSink, Sink, SinkEvent } from '#domain/ports/sink.ts';
import { eventsIncoming, eventsSaved } from '#schemas/topics/topics.ts';
import { ulidOf } from './runner-kit.ts';

/** Sink event of the tests: an id is created, or its status changes. */
export interface Word {
  readonly tenant: string;
  readonly id: string;
  readonly happened: 'created' | 'changed' | 'repeated';
}

export const savedOf = ({ id, happened }: Word): Saved =>
  ({
    happened,
    event: { id: ulidOf(id) },
    receivedAt: 0,
    ...(happened === 'changed' && { previousStatus: 'open' }),
  }) as Saved;

/** An incoming record that makes `sayer` emit it. */
export const saying = (word: Word): Incoming => ({ ask: { word } as unknown as Incoming['ask'], receivedAt: 0 });

/** Emits requested words, and nothing else. */
export const sayer: Fold<null, { readonly ask: { readonly word: Word } }> = {
  kind: 'fold',
  name: 'sayer',
  input: eventsIncoming,
  open: () => null,
  restore: async () => {},
  reads: () => ({}),
  step(_, { tenant, position, value }, _found, effects) {
    effects.emit(eventsSaved, { tenant, position, value: savedOf(value.ask.word) });
    effects.receipt(position, { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null });
  },
};

export interface TestSink extends Sink {
  /** Delivered batches, in order, also rejected ones. */
  readonly given: (readonly SinkEvent[])[];
  /** Accepted events, in order. */
  readonly taken: SinkEvent[];
  readonly lags: number[];
  /** Runs before a batch is done; may throw or hang. */
  trouble: ((batch: readonly SinkEvent[], signal: AbortSignal) => unknown) | null;
}

/** Receives creations and changes of status, or the former only. */
export const testSink = (
  name: string,
  rest: { delayMs?: number; everyMs?: number; created?: boolean } = {},
): TestSink => {
  const sink: TestSink = {
    kind: 'sink',
    name,
    input: eventsSaved,
    delayMs: rest.delayMs ?? 0,
    everyMs: rest.everyMs ?? 0,
    given: [],
    taken: [],
    lags: [],
    trouble: null,
    told(value) {
      const saved = value as Saved;
      if (saved.happened === 'forgotten') return null;
      const { id } = saved.event;
      if (saved.happened === 'created') return { happened: 'created', id };
      const { previousStatus } = saved;
      return previousStatus === undefined || rest.created ? null : { happened: 'status', id, previousStatus };
    },
    open: (): OpenSink => ({
      async take(batch, { lag, signal }) {
        sink.given.push(batch);
        await sink.trouble?.(batch, signal);
        sink.taken.push(...batch);
        sink.lags.push(lag);
      },
    }),
  };
  return sink;
};
