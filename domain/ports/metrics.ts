/** Measurements by name; names, kinds, labels and help are declared in one table in `infra/metrics/`. Durations in seconds. */
export interface Metrics {
  count(name: string, labels?: Readonly<Record<string, string>>, by?: number): void;
  gauge(name: string, labels: Readonly<Record<string, string>>, value: number): void;
  observe(name: string, labels: Readonly<Record<string, string>>, value: number): void;
}
