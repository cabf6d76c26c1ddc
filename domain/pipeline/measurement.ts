/** A measurement of Faultline. Labels are bounded: names of sources, routes, processors; never a tenant, host or raw path. */
export interface Measurement {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** All values of each label of a counter, so that it is 0 before the first case; those of `processor` and `name` are known at the start. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds, of histograms. */
  readonly buckets?: readonly number[];
}

/** Upper bounds of durations of milliseconds to seconds. */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const counter = (
  name: string,
  help: string,
  labels: readonly string[],
  values: Readonly<Record<string, readonly string[]>> = {},
): Measurement => ({ kind: 'counter', name, help, labels, values });
export const gauge = (name: string, help: string, labels: readonly string[]): Measurement => ({
  kind: 'gauge',
  name,
  help,
  labels,
});
export const histogram = (
  name: string,
  help: string,
  labels: readonly string[],
  buckets: readonly number[] = SECONDS,
): Measurement => ({ kind: 'histogram', name, help, labels, buckets });
