import type { Fold } from '#domain/pipeline/processor.ts';

/** Declares a processor that owns state; the runner does logging, metrics, retries and dead letters. */
export const fold = <State, In>(declared: Omit<Fold<State, In>, 'kind' | '__in'>): Fold<State, In> => ({
  kind: 'fold',
  ...declared,
});
