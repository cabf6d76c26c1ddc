import type { Metrics } from '#domain/ports/metrics.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { QueryOrigin } from './reader/fair-queue.ts';
import type { Runner } from './runner/runner.ts';
import type { SinkLoop } from './sinks/sink-loop.ts';

const measureLag = (processor: string, lag: number, metrics: Metrics): void => {
  metrics.gauge('faultline_processor_lag', { processor }, lag);
  metrics.gauge('faultline_partition_lag_max', { processor }, lag);
  metrics.gauge('faultline_processor_members', { processor }, 1);
};

/** Sets the gauges of waiting work: `unapplied` changes, and `queries` for a reader thread. */
export const measureWaits = (
  { waiting, unanswered, admissions }: Runner['status'],
  unapplied: number,
  queries: { size(origin: QueryOrigin): number },
  metrics: Metrics,
): void => {
  metrics.gauge('faultline_queue_depth', {}, waiting);
  metrics.gauge('faultline_receipts_waiting', {}, unanswered);
  metrics.gauge('faultline_unapplied_changes', {}, unapplied);
  metrics.gauge('faultline_requests_waiting', { for: 'room' }, admissions);
  metrics.gauge('faultline_requests_waiting', { for: 'reader' }, queries.size('request'));
  metrics.gauge('faultline_requests_waiting', { for: 'reader_background' }, queries.size('background'));
};

/** Sets the gauges of the current pipeline; cheap enough for every scrape, too expensive for every batch. */
export const measure = (
  { status, stages }: Pick<Runner, 'status' | 'stages'>,
  sinks: readonly Pick<SinkLoop, 'sink' | 'status'>[],
  metrics: Metrics,
  now: number,
): void => {
  for (const { sink, status: reached } of sinks) measureLag(sink.name, reached.lag, metrics);
  for (const { processor, state } of stages) {
    const { name, input } = processor;
    // A batch passes all processors before the next one: only the first can lag.
    const lag = input === eventsIncoming ? status.waiting : 0;
    measureLag(name, lag, metrics);
    const sizes = processor.sizes?.(state, now) ?? {};
    for (const [what, size] of Object.entries(sizes))
      metrics.gauge('faultline_state_size', { processor: name, what }, size);
    if (sizes.open_groups !== undefined) metrics.gauge('faultline_groups_open', {}, sizes.open_groups);
  }
};
