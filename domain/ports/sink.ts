import type { GroupChange } from '#domain/correlation/records.ts';
import type { Status } from '#domain/event/event.ts';
import type { Ports } from './ports.ts';

/** The happening that a sink gets of a record; the event or group itself comes from the stores. */
export type Told =
  /** `wasSuppressed`: it was suppressed until now, so that nobody has heard of it. */
  | { readonly happened: 'created'; readonly id: string; readonly wasSuppressed?: true }
  | { readonly happened: 'status'; readonly id: string; readonly previousStatus: Status }
  /** `id` is that of the group. */
  | { readonly happened: 'group'; readonly id: string; readonly change: GroupChange['kind'] };

/** The same in both modes. */
export type Happening = Told & {
  readonly tenant: string;
  /** Of the incoming record that caused it. */
  readonly position: number;
  /** When the record was written, ms. */
  readonly at: number;
};

export interface OpenSink {
  /**
   * All effects of the batch are durable when it resolves. At least once: a happening that comes again changes nothing. `lag`: how
   * many wait behind the batch.
   */
  take(batch: readonly Happening[], about: { readonly lag: number; readonly signal: AbortSignal }): Promise<void>;
}

/** The third kind of processor: it reads along and has effects outside the pipeline. In order per tenant. */
export interface Sink {
  readonly kind: 'sink';
  /** Also consumer group, cursor, metrics label and log field. */
  readonly name: string;
  /** Topic. */
  readonly input: string;
  /** The happening of a value of the topic; null: none. */
  told(value: unknown): Told | null;
  /** How long after it was written a record is given to the sink at the earliest, ms. */
  readonly delayMs: number;
  /** Keeps what a store of embedded mode keeps by itself: it runs in distributed mode alone. */
  readonly isForEngines?: true;
  open(ports: Ports): OpenSink;
}
