import type { NotCompleted } from '#domain/ai/model.ts';
import type { After } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';

const AT_ONCE = 4;
const PER_TENANT = 2;
const MAX_WAITING = 100;
const MAX_WAIT_MS = 10_000;

const BUSY: NotCompleted = {
  failure: 'busy',
  usage: { input: 0, output: 0, estimated: false },
  again: 'never',
  detail: 'too many requests wait for the model',
};

interface Waiting {
  readonly tenant: string;
  readonly begin: () => void;
}

/** 4 requests at once, 2 per tenant; 100 wait, at most 10 s each; the others are `busy`. */
export const limited = (
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
  /** False when the turn did not come in time. */
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
