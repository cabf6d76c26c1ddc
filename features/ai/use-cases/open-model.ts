import { aiSettings } from '#application/records/tenant-settings.ts';
import type { Completed, ModelFailure, ModelReply, ModelRequest, NotCompleted } from '#domain/ai/model.ts';
import { Lru } from '#domain/lru.ts';
import type { After, Clock } from '#domain/ports/clock.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { costOf, type Prices } from '#features/ai/rules/budget.ts';
import { type AiUsage, USAGE_KEPT_MS, USAGE_KINDS } from '#features/ai/rules/usage.ts';
import { type BudgetedOptions, budgeted } from './model/budgeted.ts';
import { type RetryingOptions, retrying } from './model/retrying.ts';

interface MeteredOptions extends Pick<Ports, 'records' | 'clock' | 'ids' | 'metrics' | 'deadline'> {
  readonly prices: Prices;
  readonly log: Pick<Log, 'warn'>;
}

/** A reply of no use for the question is a failure of the attempt. */
const judged = (reply: ModelReply, { problemOf }: ModelRequest): ModelReply => {
  if ('failure' in reply) return reply;
  const problem = problemOf(reply.text);
  if (problem === null) return reply;
  const detail = reply.isCut ? 'response was truncated' : problem;
  return { failure: 'invalid_output', usage: reply.usage, again: 'corrected', detail };
};

const outcomeOf = (reply: ModelReply): AiUsage['outcome'] => {
  if (!('failure' in reply)) return 'done';
  return reply.failure === 'busy' || reply.failure === 'budget' ? 'provider' : reply.failure;
};

/**
 * One usage record per attempt, regardless of the outcome. An attempt whose record cannot be stored counts all the
 * same.
 */
const metered = (inner: ModelProvider, options: MeteredOptions): ModelProvider => {
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
    await deadline.without(put).catch((err: unknown) => log.warn({ err }, 'failed to store model usage'));
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
      if ('failure' in reply) log.warn({ failure: reply.failure, detail: reply.detail }, 'model request failed');
      return reply;
    },
  };
};

const AT_ONCE = 4;
const PER_TENANT = 2;
const MAX_WAITING = 100;
const MAX_WAIT_MS = 10_000;

const BUSY: NotCompleted = {
  failure: 'busy',
  usage: { input: 0, output: 0, estimated: false },
  again: 'never',
  detail: 'model queue is full',
};

interface Waiting {
  readonly tenant: string;
  readonly begin: () => void;
}

/** 4 requests at once, 2 per tenant; 100 wait, at most 10 s each; the others are `busy`. */
const limited = (
  inner: ModelProvider,
  { after, metrics }: { readonly after: After; readonly metrics: Metrics },
): ModelProvider => {
  const running: string[] = [];
  const waiting = new Set<Waiting>();
  const mayBegin = (tenant: string): boolean =>
    running.length < AT_ONCE && running.filter((one) => one === tenant).length < PER_TENANT;
  const show = (): void => metrics.gauge('faultline_ai_queue', {}, waiting.size);
  const next = (): void => {
    for (const one of waiting) if (mayBegin(one.tenant)) one.begin();
  };
  /** Returns false when the turn did not arrive in time. */
  const turn = (tenant: string, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (begins: boolean): void => {
        stop();
        signal.removeEventListener('abort', giveUp);
        waiting.delete(one);
        if (begins) running.push(tenant);
        show();
        resolve(begins);
      };
      const giveUp = (): void => end(false);
      const one: Waiting = { tenant, begin: () => end(true) };
      const stop = after(MAX_WAIT_MS, giveUp);
      signal.addEventListener('abort', giveUp);
      waiting.add(one);
      if (mayBegin(tenant)) one.begin();
      else show();
    });
  return {
    model: inner.model,
    correction: () => inner.correction(),
    takesTools: () => inner.takesTools(),
    async complete(request, signal) {
      const { tenant } = request.purpose;
      if (signal.aborted || waiting.size >= MAX_WAITING || !(await turn(tenant, signal))) return BUSY;
      try {
        return await inner.complete(request, signal);
      } finally {
        running.splice(running.indexOf(tenant), 1);
        next();
      }
    },
  };
};

const FAILURES = 5;
const REST_MS = 30_000;
/** The provider's fault, and not that of one question. */
const COUNTED: ReadonlySet<ModelFailure> = new Set<ModelFailure>(['rate_limited', 'provider', 'timeout']);

const RESTING: NotCompleted = {
  failure: 'provider',
  usage: { input: 0, output: 0, estimated: false },
  again: 'never',
  detail: 'provider failed 5 times in a row; paused for 30s',
};

/** Pauses the provider for 30 s after 5 failures in a row; then one request tries it. */
const breaking = (inner: ModelProvider, { clock }: { readonly clock: Clock }): ModelProvider => {
  let failures = 0;
  let restsUntil = 0;
  return {
    model: inner.model,
    correction: () => inner.correction(),
    takesTools: () => inner.takesTools(),
    async complete(request, signal) {
      if (failures >= FAILURES) {
        if (clock.now() < restsUntil) return RESTING;
        // The others stay paused while this one tries.
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

const KEPT_MS = 15 * 60_000;
const MAX_REPLIES = 500;
const FREE = { input: 0, output: 0, estimated: false };

/** Caches replies of the last 15 min by tenant and key, at most 500; the least recently used is evicted. */
const cached = (inner: ModelProvider, { clock }: { readonly clock: Clock }): ModelProvider => {
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

export type ModelOptions = Omit<BudgetedOptions, 'settingsOf'> & MeteredOptions & RetryingOptions;

/** Wraps a provider that makes one request at a time; it holds the state that all requests of the process share. */
export const openModel = (provider: ModelProvider, options: ModelOptions): ModelProvider => {
  const settingsOf = (tenant: string) => aiSettings(options.records, tenant);
  const patient = retrying(metered(provider, options), options);
  return cached(budgeted(breaking(limited(patient, options), options), { ...options, settingsOf }), options);
};
