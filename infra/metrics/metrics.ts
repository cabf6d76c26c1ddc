import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ProcessorCounters } from '#domain/pipeline/history.ts';
import type { Measurement } from '#domain/pipeline/measurement.ts';
import type { Metrics, Tallies } from '#domain/ports/metrics.ts';
import { MEASUREMENTS } from './table.ts';

const NOTHING: ProcessorCounters = { read: 0, emitted: 0, errors: 0, batches: 0, seconds: 0 };

/** Target of the values of a measurement: by the end of its name, or by a label. */
const SEEN: readonly (readonly [string, (value: MetricSample) => keyof ProcessorCounters | null])[] = [
  ['faultline_processor_records_total', ({ labels }) => (labels.direction === 'in' ? 'read' : 'emitted')],
  ['faultline_processor_errors_total', () => 'errors'],
  [
    'faultline_processor_step_seconds',
    ({ metricName = '' }) => {
      if (metricName.endsWith('_sum')) return 'seconds';
      return metricName.endsWith('_count') ? 'batches' : null;
    },
  ],
];

interface MetricSample {
  readonly value: number;
  readonly labels: Partial<Record<string, string | number>>;
  readonly metricName?: string;
}

/** Reads the registry; the measured code does not depend on it. */
const openTallies = (registry: Registry): Tallies => ({
  async processors() {
    const tallies = new Map<string, ProcessorCounters>();
    for (const [name, partOf] of SEEN) {
      const values = ((await registry.getSingleMetric(name)?.get())?.values ?? []) as readonly MetricSample[];
      for (const one of values) {
        const part = partOf(one);
        const processor = String(one.labels.processor);
        const before = tallies.get(processor) ?? NOTHING;
        if (part !== null) tallies.set(processor, { ...before, [part]: before[part] + one.value });
      }
    }
    return tallies;
  },
});

export interface Build {
  readonly version: string;
  readonly mode: string;
  readonly node: string;
}

/** Values of labels that are known at the start: of `processor`, and of `name`, which are jobs. */
type Seeds = Readonly<Partial<Record<'processor' | 'name', readonly string[]>>>;

/** Default measurements of the process that are gauges and end in `_total`; others show the same by type. */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

export interface MetricsRegistry {
  readonly metrics: Metrics;
  readonly tallies: Tallies;
  /** Returns the text format of Prometheus. */
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
  if (one === undefined) throw new Error(`${name} is not in the metrics table, or has another type`);
  return one;
}

/** Every combination of one value per label. */
const combined = (labels: readonly string[], values: Readonly<Record<string, readonly string[]>>) =>
  labels.reduce<Record<string, string>[]>(
    (all, label) => all.flatMap((one) => (values[label] ?? []).map((value) => ({ ...one, [label]: value }))),
    [{}],
  );

/** An increase is seen from a 0 on only: a counter that began at 1 would hide the first case from every alert. */
function startAtZero(counters: ReadonlyMap<string, Counter>, measurements: readonly Measurement[], known: Seeds): void {
  for (const { name, labels, values } of measurements) {
    const counter = counters.get(name);
    for (const one of counter ? combined(labels, { ...known, ...values }) : []) counter?.inc(one, 0);
  }
}

/**
 * A registry of its own, with the measurements of the process. A name that no table has throws. `known` has the values of
 * labels that the tables do not have; `features` are the measurements of features.
 */
export function openMetrics(build: Build, known: Seeds = {}, features: readonly Measurement[] = []): MetricsRegistry {
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
