import type { GroupChange } from '#domain/correlation/records.ts';
import type { Status } from '#domain/event/event.ts';
import type { Ports } from './ports.ts';

/** The change that a sink receives from a record; the event or group itself is read from the stores. */
export type SinkEventBody =
  /** `wasSuppressed`: it was suppressed until now, so that no receiver knows it. */
  | { readonly happened: 'created'; readonly id: string; readonly wasSuppressed?: true }
  | { readonly happened: 'status'; readonly id: string; readonly previousStatus: Status }
  /** `id` is that of the group. */
  | { readonly happened: 'group'; readonly id: string; readonly change: GroupChange['kind'] };

/** The same in both modes. */
export type SinkEvent = SinkEventBody & {
  readonly tenant: string;
  /** Position of the incoming record that caused it. */
  readonly position: number;
  /** Time when the record was written, ms. */
  readonly at: number;
};

/** The load around a batch. */
export interface SinkBacklog {
  /** Number waiting behind the batch. */
  readonly lag: number;
  /** True while new events wait for the pipeline: a sink that can wait lets them go first. */
  readonly isPipelineLate?: boolean;
}

export interface OpenSink {
  /** All effects of the batch are durable when it resolves. At least once: a repeated event changes nothing. */
  take(batch: readonly SinkEvent[], about: SinkBacklog & { readonly signal: AbortSignal }): Promise<void>;
}

/** The third kind of processor: it reads along and has effects outside the pipeline. In order per tenant. */
export interface Sink {
  readonly kind: 'sink';
  /** Also consumer group, cursor, metrics label and log field. */
  readonly name: string;
  /** Topic. */
  readonly input: string;
  /** The happening of a value of the topic; null: none. */
  told(value: unknown): SinkEventBody | null;
  /** Minimum delay between the write of a record and its delivery to the sink, ms. */
  readonly delayMs: number;
  /** Minimum time between two batches while nothing else waits, ms: events within it are batched together. */
  readonly everyMs?: number;
  /** Set for work that the stores of embedded mode do themselves: it runs in distributed mode alone. */
  readonly isForEngines?: true;
  open(ports: Ports): OpenSink;
}
