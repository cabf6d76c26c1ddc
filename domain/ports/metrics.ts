import type { ProcessorCounters } from '#domain/pipeline/history.ts';

/** Measurements by name; names, kinds, labels and help are declared in one table in `infra/metrics/`. Durations in seconds. */
export interface Metrics {
  count(name: string, labels?: Readonly<Record<string, string>>, by?: number): void;
  gauge(name: string, labels: Readonly<Record<string, string>>, value: number): void;
  observe(name: string, labels: Readonly<Record<string, string>>, value: number): void;
}

/** Measurements, to be read in the process itself. */
export interface Tallies {
  /** Returns counters by name of the processor, since the process started. */
  processors(): Promise<ReadonlyMap<string, ProcessorCounters>>;
}
