import type { Sink } from '#domain/ports/sink.ts';

/** What reads along and has effects outside the pipeline. */
export const sinks: readonly Sink[] = [];
