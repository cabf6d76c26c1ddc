import type { ModelReply, ModelRequest } from '#domain/ai/model.ts';
import type { Log } from '#domain/ports/log.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { costOf, type Prices } from '#features/ai/rules/budget.ts';
import { type AiUsage, USAGE_KEPT_MS, USAGE_KINDS } from '#features/ai/rules/usage.ts';

export interface MeteredOptions extends Pick<Ports, 'records' | 'clock' | 'ids' | 'metrics' | 'deadline'> {
  readonly prices: Prices;
  readonly log: Pick<Log, 'warn'>;
}

/** A reply of no use for the question is a failure of the attempt. */
const judged = (reply: ModelReply, { problemOf }: ModelRequest): ModelReply => {
  if ('failure' in reply) return reply;
  const problem = problemOf(reply.text);
  if (problem === null) return reply;
  const detail = reply.isCut ? 'it was too long and cut off' : problem;
  return { failure: 'invalid_output', usage: reply.usage, again: 'corrected', detail };
};

const outcomeOf = (reply: ModelReply): AiUsage['outcome'] => {
  if (!('failure' in reply)) return 'done';
  return reply.failure === 'busy' || reply.failure === 'budget' ? 'provider' : reply.failure;
};

/** One usage record per attempt, whatever became of it. An attempt whose record cannot be stored counts all the same. */
export const metered = (inner: ModelProvider, options: MeteredOptions): ModelProvider => {
  const { records, clock, ids, metrics, deadline, prices, log } = options;
  const isPriced = prices.input !== null || prices.output !== null;
  const measure = (reply: ModelReply, latencyMs: number): void => {
    metrics.count('faultline_ai_requests_total', { outcome: outcomeOf(reply) });
    metrics.count('faultline_ai_tokens_total', { direction: 'input' }, reply.usage.input);
    metrics.count('faultline_ai_tokens_total', { direction: 'output' }, reply.usage.output);
    metrics.observe('faultline_ai_request_seconds', {}, latencyMs / 1_000);
  };
  const record = async ({ purpose }: ModelRequest, reply: ModelReply, latencyMs: number): Promise<void> => {
    const { tenant, service, department, requestId } = purpose;
    const at = clock.now();
    const usage: AiUsage = {
      at,
      service,
      model: inner.model,
      ...reply.usage,
      cost: costOf(prices, reply.usage),
      priced: isPriced,
      latencyMs,
      outcome: outcomeOf(reply),
      department,
      requestId,
    };
    const put = () => records.put(tenant, USAGE_KINDS.attempt, ids.ulid(), usage, { expiresAt: at + USAGE_KEPT_MS });
    // The tokens are spent although the request's time may be over.
    await deadline
      .without(put)
      .catch((err: unknown) => log.warn({ err }, 'the store did not take the usage of the model'));
  };
  return {
    model: inner.model,
    correction: () => inner.correction(),
    takesTools: () => inner.takesTools(),
    async complete(request, signal) {
      const began = clock.steady();
      const reply = judged(await inner.complete(request, signal), request);
      const latencyMs = Math.round(clock.steady() - began);
      measure(reply, latencyMs);
      await record(request, reply, latencyMs);
      if ('failure' in reply) log.warn({ failure: reply.failure, detail: reply.detail }, 'the model gave no answer');
      return reply;
    },
  };
};
