import type { ModelFailure, NotCompleted } from '#domain/ai/model.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';

const FAILURES = 5;
const REST_MS = 30_000;
/** The provider's fault, and not that of one question. */
const COUNTED: ReadonlySet<ModelFailure> = new Set<ModelFailure>(['rate_limited', 'provider', 'timeout']);

const RESTING: NotCompleted = {
  failure: 'provider',
  usage: { input: 0, output: 0, estimated: false },
  again: 'never',
  detail: 'the provider has failed five times in a row and is left alone for 30 s',
};

/** After 5 failures in a row the provider is left alone for 30 s; then one request tries it. */
export const breaking = (inner: ModelProvider, { clock }: { readonly clock: Clock }): ModelProvider => {
  let failures = 0;
  let restsUntil = 0;
  return {
    model: inner.model,
    correction: () => inner.correction(),
    takesTools: () => inner.takesTools(),
    async complete(request, signal) {
      if (failures >= FAILURES) {
        if (clock.now() < restsUntil) return RESTING;
        // The others rest on while this one tries.
        restsUntil = clock.now() + REST_MS;
      }
      const reply = await inner.complete(request, signal);
      const failed = 'failure' in reply && COUNTED.has(reply.failure);
      failures = failed ? failures + 1 : 'failure' in reply ? failures : 0;
      if (failed && failures >= FAILURES) restsUntil = clock.now() + REST_MS;
      return reply;
    },
  };
};
