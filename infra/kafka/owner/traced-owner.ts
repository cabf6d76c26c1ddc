import type { Tracing } from '#domain/ports/tracing/tracing.ts';
import type { Input, Owner } from './owner.ts';

/** Remembers the traces of incoming records for outgoing ones. `name`: its span per batch and trace; null: no span. */
export const tracedOwner = (owner: Owner, name: string | null, tracing: Tracing): Owner => ({
  open: () => owner.open(),
  sizes: () => owner.sizes(),
  stop: () => owner.stop?.(),
  isWaiting: () => owner.isWaiting?.() ?? false,
  gatherMs: () => owner.gatherMs?.() ?? 0,
  take(inputs: readonly Input[], most?: number) {
    const traces = inputs.map(({ entry, traceparent }) => {
      if (traceparent) tracing.learn(entry, traceparent);
      return traceparent ?? undefined;
    });
    const work = () => owner.take(inputs, most);
    return name === null ? work() : tracing.during(name, traces, work);
  },
});
