import type { ModelReply, ModelRequest, NotCompleted, TokenUsage } from '#domain/ai/model.ts';
import type { After, Clock } from '#domain/ports/clock.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import { waitBefore } from '#features/ai/rules/retry.ts';

/** Resolves after this time in ms, or as soon as the signal aborts. */
const pauseFor = (ms: number, after: After, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ms <= 0 || signal.aborted) return resolve();
    const done = (): void => {
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const stop = after(ms, done);
    signal.addEventListener('abort', done);
  });

export interface RetryingOptions {
  readonly clock: Clock;
  readonly after: After;
  readonly ids: Ids;
}

const NOTHING: TokenUsage = { input: 0, output: 0, estimated: false };
const BASE = 62;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns a number from 0 to 1. */
const chanceOf = (ids: Ids): number =>
  [...ids.secret(3)].reduce((sum, digit) => sum * BASE + DIGITS.indexOf(digit), 0) / BASE ** 3;

const plus = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  estimated: a.estimated || b.estimated,
});

/** Returns the same question, with the earlier error. */
const after = (request: ModelRequest, original: ModelRequest, reply: NotCompleted): ModelRequest => {
  if (reply.again === 'briefly') return { ...request, isBrief: true };
  if (reply.again !== 'corrected') return request;
  return {
    ...request,
    user: `${original.user}\nYour last answer was rejected: ${reply.detail.slice(0, 200)}. Answer again.`,
  };
};

/** Up to 4 attempts until the request's time is over; usage is that of all attempts. */
export const retrying = (inner: ModelProvider, options: RetryingOptions): ModelProvider => {
  const { clock, ids } = options;
  const attempts = async (original: ModelRequest, signal: AbortSignal): Promise<ModelReply> => {
    let request = original;
    let usage = NOTHING;
    for (let attempt = 1; ; attempt++) {
      const reply = await inner.complete(request, signal);
      usage = plus(usage, reply.usage);
      const leftMs = original.until - clock.now();
      if (!('failure' in reply) || signal.aborted) return { ...reply, usage };
      const wait = waitBefore(reply, { attempt, leftMs, chance: chanceOf(ids) });
      if (wait === null || (reply.again === 'briefly' && request.isBrief)) return { ...reply, usage };
      await pauseFor(wait, options.after, signal);
      request = after(request, original, reply);
    }
  };
  return {
    model: inner.model,
    correction: () => inner.correction(),
    takesTools: () => inner.takesTools(),
    async complete(request, signal) {
      const total = new AbortController();
      const stop = options.after(Math.max(0, request.until - clock.now()), () => total.abort());
      try {
        const reply = await attempts(request, AbortSignal.any([signal, total.signal]));
        const isLate = 'failure' in reply && total.signal.aborted;
        return isLate ? { ...reply, failure: 'timeout', again: 'never' } : reply;
      } finally {
        stop();
      }
    },
  };
};
