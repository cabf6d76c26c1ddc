import type { Registry } from 'prom-client';
import type { Tally } from '#domain/pipeline/history.ts';
import type { Tallies } from '#domain/ports/metrics.ts';

const NOTHING: Tally = { read: 0, emitted: 0, errors: 0, batches: 0, seconds: 0 };

/** Where the values of a measurement belong: by the end of its name, or by a label. */
const SEEN: readonly (readonly [string, (value: Shown) => keyof Tally | null])[] = [
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

interface Shown {
  readonly value: number;
  readonly labels: Partial<Record<string, string | number>>;
  readonly metricName?: string;
}

/** Reads the registry; what is measured does not know of it. */
export const openTallies = (registry: Registry): Tallies => ({
  async processors() {
    const tallies = new Map<string, Tally>();
    for (const [name, partOf] of SEEN) {
      const values = ((await registry.getSingleMetric(name)?.get())?.values ?? []) as readonly Shown[];
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
