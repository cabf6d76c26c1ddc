import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CommitQueue } from './commit-queue.ts';
import type { Writer, WriterEvents } from './writer.ts';

/* The queue over a writer controlled by the test, compared with a list of batches and jobs. */

/** Holds batches until the test makes them durable, applies them, or fails them. */
class StepWriter implements Writer {
  unacknowledged: number[] = [];
  readonly unapplied: number[] = [];
  readonly events: WriterEvents;
  /** Written while it failed: they never become durable. */
  readonly #lost = new Set<number>();
  #failure: Error | null = null;
  hasFailed = false;
  lastDurable = 0;

  constructor(events: WriterEvents) {
    this.events = events;
  }
  get isFailing(): boolean {
    return this.#failure !== null;
  }
  /** Batches that have not ended. */
  get size(): number {
    return this.unacknowledged.length + this.unapplied.length;
  }
  write(batch: number): void {
    this.unacknowledged.push(batch);
    if (this.#failure === null) return;
    this.#lost.add(batch);
    queueMicrotask(() => this.#refuse([batch]));
  }
  #refuse(batches: readonly number[]): void {
    const lost = batches.filter((batch) => this.unacknowledged.includes(batch));
    this.unacknowledged = this.unacknowledged.filter((batch) => !lost.includes(batch));
    for (const batch of lost) this.events.batchLost(batch, new Error('the disk is full'));
  }
  makeDurable(): void {
    const [batch] = this.unacknowledged;
    if (batch === undefined || this.#lost.has(batch)) return;
    this.unacknowledged.shift();
    this.unapplied.push(batch);
    this.lastDurable = batch;
    this.events.batchDurable(batch);
  }
  apply(): void {
    const batch = this.unapplied.shift();
    if (batch !== undefined) this.events.batchApplied(batch);
  }
  /** Batches that are not durable are lost, and later ones are until `resume`. */
  lose(): void {
    this.#failure = new Error('the disk is full');
    this.hasFailed = true;
    this.#refuse(this.unacknowledged);
  }
  /** Durable batches cannot be applied; earlier writes may still become durable. */
  failStore(): void {
    this.#failure = new Error('the store fails');
    this.hasFailed = true;
    this.events.storeFailed(this.#failure);
  }
  applyNow(): void {}
  wroteBeside(): void {}
  waitApplied(): void {
    this.#refuse([...this.#lost]);
    while (this.unacknowledged.length > 0) this.makeDurable();
    while (this.unapplied.length > 0) this.apply();
  }
  resume(): void {
    this.#failure = null;
  }
  async close(): Promise<void> {}
}

interface Batch {
  readonly number: number;
  heard: ('applied' | 'lost')[];
  answer: 'durable' | 'lost' | null;
}
interface Job {
  /** Batches submitted before it. */
  readonly after: number;
  answer: 'done' | 'failed' | null;
}

/** Small maximum, so that acknowledgments of durable batches are held back. */
const MAX_UNAPPLIED = 3;

function openWorld() {
  let writer!: StepWriter;
  const queue = new CommitQueue(
    (events) => {
      writer = new StepWriter(events);
      return writer;
    },
    { forget: () => {}, refused: () => {}, failed: () => {}, waited: () => {} },
    MAX_UNAPPLIED,
  );
  const batches: Batch[] = [];
  const order: number[] = [];
  /** Violations, since an error in a promise would be unseen. */
  const wrong: string[] = [];
  const must = (holds: boolean, what: string): void => void (holds || wrong.push(what));
  const jobs: Job[] = [];
  const waits: { readonly through: number; answer: 'applied' | 'failed' | null }[] = [];
  const ended = (number: number): boolean => batches[number - 1]!.heard.length > 0;
  queue.addListener(() => ({
    submitted: (number) => void batches.push({ number, heard: [], answer: null }),
    applied(number) {
      batches[number - 1]!.heard.push('applied');
      order.push(number);
    },
    lost: (number) => void batches[number - 1]!.heard.push('lost'),
    discarded: () => {},
  }));
  const submit = (): void => {
    const done = queue.submit(() => queue.record('INSERT', []));
    const batch = batches.at(-1)!;
    void done.then(
      () => (batch.answer = 'durable'),
      () => (batch.answer = 'lost'),
    );
  };
  const exclusive = (): void => {
    const job: Job = { after: batches.length, answer: null };
    jobs.push(job);
    const work = (): void => {
      // It has the writer for itself, and earlier submits are over.
      must(writer.size === 0, 'exclusive work beside the writer');
      for (let number = 1; number <= job.after; number++) must(ended(number), `exclusive work before batch ${number}`);
    };
    void queue.exclusive(work).then(
      () => (job.answer = 'done'),
      () => (job.answer = 'failed'),
    );
  };
  const wait = (): void => {
    const one: (typeof waits)[number] = { through: writer.lastDurable, answer: null };
    waits.push(one);
    void queue.applied().then(
      () => {
        one.answer = 'applied';
        for (let number = 1; number <= one.through; number++) must(ended(number), `batch ${number} is not applied`);
      },
      () => (one.answer = 'failed'),
    );
  };
  const blocking = (): void => {
    try {
      queue.waitApplied();
    } catch {
      must(writer.hasFailed, 'an error without a failure');
    }
    must(writer.size === 0, 'blocked, and not applied');
  };
  const steps = {
    submit,
    exclusive,
    wait,
    blocking,
    durable: () => writer.makeDurable(),
    apply: () => writer.apply(),
    lose: () => writer.lose(),
    failStore: () => writer.failStore(),
    resume: () => void queue.resume().catch(() => undefined),
  };
  return { steps, queue, batches, jobs, waits, order, wrong, writer: () => writer };
}

type Step = keyof ReturnType<typeof openWorld>['steps'];
const STEPS = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Step>('submit') },
    { weight: 6, arbitrary: fc.constant<Step>('durable') },
    { weight: 4, arbitrary: fc.constantFrom<Step>('apply', 'apply', 'wait', 'exclusive', 'exclusive') },
    { weight: 1, arbitrary: fc.constantFrom<Step>('lose', 'failStore', 'failStore', 'blocking') },
    { weight: 2, arbitrary: fc.constant<Step>('resume') },
  ),
  { maxLength: 60 },
);
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('each batch is applied or lost, once and in order; exclusive work is alone; whoever waits is answered', async () => {
  await fc.assert(
    fc.asyncProperty(STEPS, fc.array(fc.boolean()), async (steps, turns) => {
      const { steps: act, queue, batches, jobs, waits, order, wrong, writer } = openWorld();
      for (const [n, step] of steps.entries()) {
        act[step]();
        expect([step, queue.isApplied]).toEqual([step, writer().unapplied.length === 0]);
        if (turns[n] === true || step === 'failStore') await turn();
        if (step === 'failStore') for (const { answer } of [...jobs, ...waits]) expect(answer).not.toBeNull();
        if (writer().isFailing && turns[n] === true) {
          for (const { answer } of batches.slice(0, writer().lastDurable)) expect(answer).not.toBeNull();
        }
      }
      // End: the store works again, and everything is carried out.
      for (let rounds = 0; rounds < 3; rounds++) {
        void queue.resume().catch(() => undefined);
        for (let left = 0; left <= batches.length + jobs.length; left++) {
          writer().waitApplied();
          await turn();
        }
      }
      for (const { number, heard, answer } of batches) {
        expect([number, heard.length]).toEqual([number, 1]);
        expect([number, answer]).toEqual([number, heard[0] === 'applied' ? 'durable' : 'lost']);
      }
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      for (const { answer } of jobs) expect(answer).toMatch(writer().hasFailed ? /done|failed/ : /done/);
      for (const { answer } of waits) expect(answer).toMatch(writer().hasFailed ? /applied|failed/ : /applied/);
      expect(wrong).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});
