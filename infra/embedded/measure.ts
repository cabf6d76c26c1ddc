import type { Metrics } from '#domain/ports/metrics.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { Runner } from './runner/runner.ts';

/** Sets the gauges of the pipeline as it stands; cheap enough for every scrape, too dear for every batch. */
export const measure = ({ status, stages }: Pick<Runner, 'status' | 'stages'>, metrics: Metrics, now: number): void => {
  metrics.gauge('faultline_queue_depth', {}, status.waiting);
  metrics.gauge('faultline_receipts_waiting', {}, status.waiting);
  for (const { processor, state } of stages) {
    const { name, input } = processor;
    // A batch goes through all processors before the next one: only the first can be behind.
    const lag = input === eventsIncoming ? status.waiting : 0;
    metrics.gauge('faultline_processor_lag', { processor: name }, lag);
    metrics.gauge('faultline_partition_lag_max', { processor: name }, lag);
    metrics.gauge('faultline_processor_members', { processor: name }, 1);
    const sizes = processor.sizes?.(state, now) ?? {};
    for (const [what, size] of Object.entries(sizes))
      metrics.gauge('faultline_state_size', { processor: name, what }, size);
    if (sizes.open_groups !== undefined) metrics.gauge('faultline_groups_open', {}, sizes.open_groups);
  }
};
