import type { Completed } from '#domain/ai/model.ts';
import { Lru } from '#domain/lru.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';

const KEPT_MS = 15 * 60_000;
const MAX_REPLIES = 500;
const FREE = { input: 0, output: 0, estimated: false };

/** Replies of the last 15 min by tenant and key, at most 500; the one that was asked for least lately leaves. */
export const cached = (inner: ModelProvider, { clock }: { readonly clock: Clock }): ModelProvider => {
  const known = new Lru<string, { readonly reply: Completed; readonly until: number }>(MAX_REPLIES);
  return {
    model: inner.model,
    correction: () => inner.correction(),
    takesTools: () => inner.takesTools(),
    async complete(request, signal) {
      const key = `${request.purpose.tenant} ${request.key}`;
      const found = known.get(key);
      if (found !== undefined && found.until > clock.now()) return { ...found.reply, usage: FREE };
      const reply = await inner.complete(request, signal);
      if ('failure' in reply) return reply;
      known.set(key, { reply, until: clock.now() + KEPT_MS });
      return reply;
    },
  };
};
