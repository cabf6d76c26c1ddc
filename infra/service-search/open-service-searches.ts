import type { Worker } from 'node:worker_threads';
import type { ServiceSearch, ServiceSearches } from '#domain/ports/services/service-searches.ts';
import type { EstatePart, StepAnswer, StepInput, StepName } from '#domain/services/communities/estate-steps.ts';
import { startThread } from '#infra/start-thread.ts';
import type { Answered } from './messages.ts';

/** Of one step; the longest takes some ten seconds. */
const STEP_MS = 300_000;
/** Of a thread: 100,000 CIs with 400,000 links take half of it. Beyond it the thread ends and the process goes on. */
const HEAP_MB = 1_024;

/** A search in a thread of its own, so that neither its work nor its garbage holds anybody up. */
class ThreadSearch implements ServiceSearch {
  readonly #worker: Worker;
  readonly #stepMs: number;
  #running: PromiseWithResolvers<unknown> | null = null;
  #ended: Error | null = null;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
    this.#worker = startThread(new URL('./search-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', (answered: Answered) => this.#answered(answered));
    this.#worker.on('error', (cause) => this.#end(new Error('The search for services has failed', { cause })));
    this.#worker.on('exit', () => this.#end(new Error('The thread that searches for services has ended')));
  }

  add(part: EstatePart): void {
    this.#worker.postMessage({ part });
  }

  async run<N extends StepName>(name: N, input: StepInput<N>): Promise<StepAnswer<N>> {
    if (this.#ended !== null) throw this.#ended;
    if (this.#running !== null) throw new Error('A search does one step at a time');
    const running = Promise.withResolvers<unknown>();
    this.#running = running;
    const late = setTimeout(() => {
      this.#end(new Error(`The step ${name} took longer than ${this.#stepMs} ms`));
      void this.#worker.terminate();
    }, this.#stepMs);
    this.#worker.postMessage({ name, input });
    try {
      return (await running.promise) as StepAnswer<N>;
    } finally {
      clearTimeout(late);
      this.#running = null;
    }
  }

  async close(): Promise<void> {
    this.#end(new Error('The search was closed'));
    await this.#worker.terminate();
  }

  #answered(answered: Answered): void {
    if ('answer' in answered) this.#running?.resolve(answered.answer);
    else this.#running?.reject(new Error(`The search for services has failed: ${answered.error}`));
  }

  #end(why: Error): void {
    this.#ended ??= why;
    this.#running?.reject(why);
  }
}

/** `stepMs`: how long a step may take. */
export const openServiceSearches = (stepMs = STEP_MS): ServiceSearches => ({ open: () => new ThreadSearch(stepMs) });
