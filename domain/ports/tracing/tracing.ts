/** The incoming record that caused a thing. */
export interface TracedCause {
  readonly tenant: string;
  readonly position: number;
}

export interface ServedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

/** Spans of this process. A traceparent (W3C) names a trace and the span that later ones are below. */
export interface Tracing {
  /** Runs a request in a span below that of the caller; null: it is not worth one. */
  serve(traceparent: string | undefined, work: () => Promise<ServedRequest | null>): Promise<void>;
  /** The traceparent of the request in progress. */
  current(): string | undefined;
  /** Remembers the trace of a record for its effects; the oldest ones are forgotten. */
  learn(cause: TracedCause, traceparent: string): void;
  of(cause: TracedCause): string | undefined;
  /** Runs work in a span for each of the traces. */
  during<T>(name: string, traceparents: readonly (string | undefined)[], work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
