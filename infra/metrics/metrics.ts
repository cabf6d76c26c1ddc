import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Measurement } from '#domain/pipeline/measurement.ts';
import type { Metrics, Tallies } from '#domain/ports/metrics.ts';
import { MEASUREMENTS } from './table.ts';
import { openTallies } from './tallies.ts';

export interface Build {
  readonly version: string;
  readonly mode: string;
  readonly node: string;
}

/** Values of labels that are known at the start: of `processor`, and of `name`, which are jobs. */
type Known = Readonly<Partial<Record<'processor' | 'name', readonly string[]>>>;

/** Default measurements of the process that are gauges and end in `_total`; others show the same by type. */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

export interface MetricsRegistry {
  readonly metrics: Metrics;
  readonly tallies: Tallies;
  /** In the text format of Prometheus. */
  text(): Promise<string>;
}

const common = ({ name, help, labels }: Measurement, registry: Registry) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
});

function register(registry: Registry, measurements: readonly Measurement[]) {
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  for (const one of measurements) {
    if (one.kind === 'counter') counters.set(one.name, new Counter(common(one, registry)));
    else if (one.kind === 'gauge') gauges.set(one.name, new Gauge(common(one, registry)));
    else histograms.set(one.name, new Histogram({ ...common(one, registry), buckets: [...(one.buckets ?? [])] }));
  }
  return { counters, gauges, histograms };
}

function required<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name);
  if (one === undefined) throw new Error(`${name} is not in the table of measurements, or of another kind`);
  return one;
}

/** Every combination of one value per label. */
const combined = (labels: readonly string[], values: Readonly<Record<string, readonly string[]>>) =>
  labels.reduce<Record<string, string>[]>(
    (all, label) => all.flatMap((one) => (values[label] ?? []).map((value) => ({ ...one, [label]: value }))),
    [{}],
  );

/** An increase is seen from a 0 on only: a counter that began at 1 would hide the first case from every alert. */
function startAtZero(counters: ReadonlyMap<string, Counter>, measurements: readonly Measurement[], known: Known): void {
  for (const { name, labels, values } of measurements) {
    const counter = counters.get(name);
    for (const one of counter ? combined(labels, { ...known, ...values }) : []) counter?.inc(one, 0);
  }
}

/**
 * A registry of its own, with the measurements of the process. A name that no table has throws. `known` has the values of
 * labels that the tables do not have; `features` are the measurements of features.
 */
export function openMetrics(build: Build, known: Known = {}, features: readonly Measurement[] = []): MetricsRegistry {
  const measurements = [...MEASUREMENTS, ...features];
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const { counters, gauges, histograms } = register(registry, measurements);
  startAtZero(counters, measurements, known);
  const metrics: Metrics = {
    count: (name, labels = {}, by = 1) => required(counters, name).inc(labels, by),
    gauge: (name, labels, value) => required(gauges, name).set(labels, value),
    observe: (name, labels, value) => required(histograms, name).observe(labels, value),
  };
  metrics.gauge('faultline_build_info', { ...build }, 1);
  return { metrics, tallies: openTallies(registry), text: () => registry.metrics() };
}
