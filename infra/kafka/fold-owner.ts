import { Fault } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Changes, PipelineStore } from '#domain/ports/pipeline-store.ts';
import type { Fold, Reads } from '#domain/ports/processor.ts';
import { arrivalReceived } from './arrival-received.ts';
import { refusal, refusedDocuments, rejectedInput } from './bad-record.ts';
import { type Answer, FIRST_PAGE, fromJournal, isEmpty, type Output, type Page, toJournal } from './journal.ts';
import { type Input, LostPartition, type Outlet, type Owner } from './owner.ts';
import { forgetSilent, isRepeat } from './read-numbers.ts';
import { type RowSources, readRows } from './read-rows.ts';
import type { OwnEvents, SavedEvents } from './saved-events.ts';
import { type ReadRows, StepBatch } from './step-batch.ts';

// biome-ignore lint/suspicious/noExplicitAny: owners run folds of differing state and input; each fold is sound by itself.
type AnyFold = Fold<any, any>;

export interface FoldOwnerOptions {
  readonly fold: AnyFold;
  readonly partition: number;
  /** Of the log: with a new one everything begins anew. */
  readonly epoch: number;
  readonly store: PipelineStore;
  readonly sources: Omit<RowSources, 'store'>;
  readonly saved: SavedEvents;
  readonly outlet: Outlet;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Whether a tenant's records are in this partition. */
  mine(tenant: string): boolean;
}

/** Under which name an owner's pages are kept. */
export const journalOf = (epoch: number, { name }: Pick<AnyFold, 'name'>, partition: number): string =>
  `${epoch}/${name}/${partition}`;

/** A batch that changes, sends and answers nothing needs no page, but a new owner should not have to read more than this again. */
const MOST_UNWRITTEN = 10_000;

interface Held {
  readonly offset: number;
  readonly position: number;
  /** Of a new event that waits for its decision, ms; else null. */
  readonly receivedAt: number | null;
}

type ReadMap = Map<string, { serial: number; at: number }>;

/**
 * A fold on one partition. A batch is stepped in memory, written into the journal as one document under the next number, and only
 * then saved, sent and answered. So it happens wholly or not at all: a new owner finishes the last page of the journal, and an
 * owner that is not the newest any more finds its number taken and stops.
 */
export class FoldOwner implements Owner {
  readonly #options: FoldOwnerOptions;
  readonly #name: string;
  #events!: OwnEvents;
  #state: unknown;
  #page: Page = FIRST_PAGE;
  /** As the last owner left it. */
  #settled = 0;
  /** Highest position stepped. */
  #newest = 0;
  /** Up to where the last page in the journal says that records were read. */
  #written = 0;
  #read: ReadMap = new Map();
  /** Records of which something lives in memory only, oldest first. */
  #held: Held[] = [];
  /** Where requests wait, by the position that will be answered. */
  #replies = new Map<number, string>();

  constructor(options: FoldOwnerOptions) {
    this.#options = options;
    this.#name = journalOf(options.epoch, options.fold, options.partition);
  }

  async open(): Promise<number> {
    const { fold, store, mine, saved } = this.#options;
    this.#events = saved.share();
    const last = await store.readJournal(this.#name);
    this.#page = last === null ? FIRST_PAGE : fromJournal(last);
    this.#read = new Map(Object.entries(this.#page.read).map(([writer, [serial, at]]) => [writer, { serial, at }]));
    this.#settled = this.#page.settled;
    this.#written = this.#page.next;
    this.#held = [];
    this.#replies = new Map();
    if (last !== null) await this.#finish(this.#page);
    this.#state = fold.open();
    await fold.restore(this.#state, store.restorable(mine), this.#page.at);
    return this.#page.resume;
  }

  async take(inputs: readonly Input[]): Promise<string> {
    const { fold } = this.#options;
    const fresh = inputs.filter((input) => this.#isFresh(input));
    const next = (inputs.at(-1)?.offset ?? this.#page.next - 1) + 1;
    const batch = await this.#step(fresh);
    const at = inputs.reduce((newest, input) => Math.max(newest, input.at), this.#page.at);
    const settled = fold.settled?.(this.#state) ?? Number.POSITIVE_INFINITY;
    const released = this.#release(settled);
    const page = this.#pageOf(batch, { next, at, settled });
    const start = performance.now();
    if (this.#canWait(page)) this.#page = { ...page, number: this.#page.number };
    else await this.#carryOut(page);
    for (const tenant of batch.forgotten) this.#events.forgetTenant(tenant);
    this.#measure(page, { fresh, released, start });
    return String(this.#page.number);
  }

  /** Before the first page the consumer group alone knows where to read from, so that one is always written. */
  #canWait(page: Page): boolean {
    return this.#page.number > 0 && isEmpty(page) && page.next - this.#written < MOST_UNWRITTEN;
  }

  async #carryOut(page: Page): Promise<void> {
    if (!(await this.#options.store.writeJournal(this.#name, toJournal(page)))) throw new LostPartition(this.#name);
    this.#page = page;
    this.#written = page.next;
    await this.#finish(page);
  }

  sizes(): Readonly<Record<string, number>> {
    return this.#options.fold.sizes?.(this.#state, this.#options.clock.now()) ?? {};
  }

  #measure(
    page: Page,
    { fresh, released, start }: { fresh: readonly Input[]; released: readonly Held[]; start: number },
  ): void {
    const { fold, metrics, clock } = this.#options;
    metrics.observe('faultline_commit_seconds', {}, (performance.now() - start) / 1000);
    metrics.observe('faultline_batch_records', {}, fresh.length);
    const emitted = { processor: fold.name, direction: 'out' };
    metrics.count('faultline_processor_records_total', emitted, page.outputs.length);
    const now = clock.now();
    for (const { receivedAt } of released)
      if (receivedAt !== null)
        metrics.observe('faultline_accepted_to_correlated_seconds', {}, Math.max(0, now - receivedAt) / 1000);
  }

  /**
   * Also notes it as read. What lies before the last page's end is read again to refill memory, so its number does not count; but a
   * record that is settled may lie there once more, since its writer sent it again, and would be decided anew.
   */
  #isFresh({ offset, at, writer, serial, entry }: Input): boolean {
    if (offset < this.#page.next) return entry.position > this.#settled;
    if (isRepeat(this.#read, writer, serial)) return false;
    if (serial > 0) this.#read.set(writer, { serial, at });
    return true;
  }

  async #step(fresh: readonly Input[]): Promise<StepBatch> {
    const { fold, metrics } = this.#options;
    const entries = fresh.filter(({ fault }) => fault === null).map(({ entry }) => entry);
    const batch = new StepBatch(await this.#rows(fold.reads(this.#state, entries)));
    const start = performance.now();
    for (const input of fresh) {
      const { entry, offset, reply } = input;
      if (reply !== null) this.#replies.set(entry.position, reply);
      this.#held.push({ offset, position: entry.position, receivedAt: arrivalReceived(input) });
      if (input.fault === null) this.#newest = Math.max(this.#newest, entry.position);
      this.#attempt(input, batch);
    }
    fold.settle?.(this.#state, batch);
    metrics.observe('faultline_processor_step_seconds', { processor: fold.name }, (performance.now() - start) / 1000);
    metrics.count('faultline_processor_records_total', { processor: fold.name, direction: 'in' }, fresh.length);
    return batch;
  }

  #rows(reads: Reads): Promise<ReadRows> {
    const { store, sources } = this.#options;
    return readRows({ store: { load: (asked) => this.#events.load(store, asked) }, ...sources }, reads);
  }

  /** A record that the step cannot handle becomes a dead letter and holds up nobody. */
  #attempt(input: Input, batch: StepBatch): void {
    const { fold, partition, clock, metrics } = this.#options;
    try {
      if (input.fault !== null) throw new Error(input.fault);
      fold.step(this.#state, input.entry, batch, batch);
    } catch (error) {
      batch.rejected.push(rejectedInput({ processor: fold, partition, at: clock.now() }, input, error));
      batch.receipt(input.entry.position, refusal);
      metrics.count('faultline_processor_errors_total', { processor: fold.name });
      metrics.count('faultline_rejected_total', { processor: fold.name });
    }
  }

  /** Takes out what does not live in memory only any more. */
  #release(settled: number): Held[] {
    const unsettled = this.#held.findIndex(({ position }) => position > settled);
    return this.#held.splice(0, unsettled === -1 ? this.#held.length : unsettled);
  }

  #pageOf(
    batch: StepBatch,
    { next, at, settled }: { readonly next: number; readonly at: number; readonly settled: number },
  ): Page {
    const after = Math.max(next, this.#page.next);
    const outputs = batch.emitted.map(
      ({ topic, entry }, index): Output => ({
        ...{ topic, entry, serial: this.#page.serial + index, reply: this.#replies.get(entry.position) ?? null },
      }),
    );
    return {
      number: this.#page.number + 1,
      // Not the end of the last page: what lies before it may not be read again yet.
      resume: this.#held[0]?.offset ?? next,
      next: after,
      settled: Math.max(this.#page.settled, Number.isFinite(settled) ? settled : this.#newest),
      at,
      serial: this.#page.serial + outputs.length,
      read: this.#readNumbers(),
      changes: batch.changes,
      outputs,
      answers: this.#answersOf(batch, settled),
      rejected: batch.rejected,
    };
  }

  #readNumbers(): Page['read'] {
    const newest = Math.max(0, ...[...this.#read.values()].map(({ at }) => at));
    forgetSilent(this.#read, newest);
    return Object.fromEntries([...this.#read].map(([writer, { serial, at }]) => [writer, [serial, at] as const]));
  }

  #answersOf(batch: StepBatch, settled: number): Answer[] {
    const answers: Answer[] = [];
    for (const [position, receipt] of batch.receipts) {
      const reply = this.#replies.get(position);
      if (reply !== undefined) answers.push({ reply, receipt });
    }
    for (const position of this.#replies.keys()) if (position <= settled) this.#replies.delete(position);
    return answers;
  }

  /** A document that the store will never take is set aside: the batch is decided, and all else of it is saved. */
  async #save(changes: Changes): Promise<void> {
    const { fold, store, outlet, partition, clock, metrics } = this.#options;
    try {
      const { furtherOn } = await store.save(changes);
      this.#events.saved(changes.events, furtherOn);
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== 'unprocessable') throw error;
      this.#events.forget(changes.events.map(({ event }) => event));
      const place = { processor: fold, partition, at: clock.now() };
      const letters = refusedDocuments(place, { ...this.#page, changes }, error);
      metrics.count('faultline_rejected_total', { processor: fold.name }, letters.length);
      await outlet.reject(partition, letters);
    }
  }

  async #finish({ changes, outputs, answers, rejected }: Page): Promise<void> {
    const { outlet, partition } = this.#options;
    await this.#save(changes);
    if (rejected.length > 0) await outlet.reject(partition, rejected);
    await outlet.send(partition, outputs);
    await outlet.answer(answers);
  }
}
