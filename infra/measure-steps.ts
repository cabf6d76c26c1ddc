import type { Saved } from '#domain/event/incoming.ts';
import { type Handled, handledIn } from '#domain/event/life/handled.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import type { StepMeter } from '#domain/pipeline/step.ts';
import type { Metrics } from '#domain/ports/metrics.ts';

const NAMES: Readonly<Record<Handled['to'], string>> = {
  acknowledged: 'faultline_acknowledge_seconds',
  resolved: 'faultline_resolve_seconds',
};

/** First actions of people, in entries of `events.saved`. */
export const handledOf = (entries: readonly Entry<unknown>[]): Handled[] =>
  (entries as readonly Entry<Saved>[]).flatMap(({ value }) => handledIn(value) ?? []);

/** Measured once a batch is kept, so that a batch that fails and comes again is measured once. */
export const measureHandled = (metrics: Pick<Metrics, 'observe'>, handled: readonly Handled[]): void => {
  for (const { to, afterMs } of handled) metrics.observe(NAMES[to], {}, afterMs / 1_000);
};

/** Measures steps by the clock of this process. */
export const stepMeter = (metrics: Pick<Metrics, 'observe' | 'count'>): StepMeter => ({
  now: () => performance.now(),
  observe: (name, labels, value) => metrics.observe(name, labels, value),
  count: (name, labels, by) => metrics.count(name, labels, by),
});
