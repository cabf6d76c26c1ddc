import type { Incoming, Saved } from '#domain/event/incoming.ts';
import type { Fold } from '#domain/pipeline/processor.ts';
import type { Happening, OpenSink, Sink } from '#domain/ports/sink.ts';
import { eventsIncoming, eventsSaved } from '#schemas/topics/topics.ts';
import { ulidOf } from './runner-kit.ts';

/** What the tests have sinks told of: an id is created, or its status changes. */
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

/** An incoming record that makes `sayer` say so. */
export const saying = (word: Word): Incoming => ({ ask: { word } as unknown as Incoming['ask'], receivedAt: 0 });

/** Says what it is asked to, and nothing else. */
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
  /** What was given, in order, also what was not taken. */
  readonly given: (readonly Happening[])[];
  /** What was taken, in order. */
  readonly taken: Happening[];
  readonly lags: number[];
  /** Runs before a take is done; may throw or hang. */
  trouble: ((batch: readonly Happening[], signal: AbortSignal) => unknown) | null;
}

/** Is told of creations and changes of status, or of the former only. */
export const testSink = (name: string, rest: { delayMs?: number; created?: boolean } = {}): TestSink => {
  const sink: TestSink = {
    kind: 'sink',
    name,
    input: eventsSaved,
    delayMs: rest.delayMs ?? 0,
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
