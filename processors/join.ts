import type { Join } from '#domain/pipeline/processor.ts';

/** Declares a processor that matches arrivals within a window; the runner does logging, metrics, retries and offsets. */
export const join = <State, In>(declared: Omit<Join<State, In>, 'kind' | '__in'>): Join<State, In> => ({
  kind: 'join',
  ...declared,
});
