import { itemAt } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';
import { type StepMeter, step } from '#domain/pipeline/batch.ts';
import type { Entry, Fold, Reads } from '#domain/pipeline/processor.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import { handledOf, measureHandled, stepMeter } from '#infra/measure-steps.ts';
import { eventsSaved } from '#schemas/topics/topics.ts';
import type { EventCache, OwnerEvents } from './event-cache.ts';
import { type HeldRecord, HeldRecords } from './held.ts';
import {
  type BatchPage,
  FIRST_PAGE,
  fromJournal,
  isEmpty,
  isRetold,
  type Output,
  type ReceiptReply,
  toJournal,
} from './journal.ts';
import { type Emitter, type Input, LostPartition, type Owner, RECORDS_AT_ONCE, type Taken } from './owner.ts';
import { type RowSources, readRows } from './read-rows.ts';
import { Refusals, type Stepped } from './refusals.ts';
import { dropSilentWriters, isRepeat } from './sequence-filter.ts';
import { changesOf, openBatch, type ReadRows, type StepBatch } from './step-batch.ts';

// biome-ignore lint/suspicious/noExplicitAny: owners run folds of differing state and input; each fold is sound by itself.
type AnyFold = Fold<any, any>;

export interface FoldOwnerOptions {
  readonly fold: AnyFold;
  readonly partition: number;
  /** Epoch of the log: with a new one everything begins again. */
  readonly epoch: number;
  readonly store: PipelineStore;
  readonly sources: Omit<RowSources, 'store'>;
  readonly saved: EventCache;
  readonly emitter: Emitter;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Format of the pages that this program writes, and the newest that it reads. */
  readonly format?: number;
  /** True if a tenant's records are in this partition. */
  mine(tenant: string): boolean;
}

/** Returns the name under which an owner's pages are stored. */
export const journalOf = (epoch: number, { name }: Pick<AnyFold, 'name'>, partition: number): string =>
  `${epoch}/${name}/${partition}`;

/** A batch that changes, sends and answers nothing needs no page, but a new owner should not have to read more than this again. */
const MAX_UNWRITTEN = 10_000;

/** Bytes of records held only in memory, as received; decoded they use about twice as much. */
const MAX_HELD_BYTES = 128 * 2 ** 20;

type ReadMap = Map<string, { serial: number; at: number }>;

/**
 * A fold on one partition. A batch is stepped in memory, journaled under the next number, then saved, sent and
 * answered. A new owner finishes the last page; an old one finds its number in use and stops.
 */
export class FoldOwner implements Owner {
  readonly #options: FoldOwnerOptions;
  readonly #name: string;
  readonly #refusals: Refusals;
  readonly #meter: StepMeter;
  #events!: OwnerEvents;
  #state: unknown;
  #page: BatchPage = FIRST_PAGE;
  /** Value from the last owner. */
  #settled = 0;
  /** Highest position stepped. */
  #newest = 0;
  /** Position up to which records were read, from the last page in the journal. */
  #written = 0;
  /** Offset after the last processed record. */
  #end = 0;
  #read: ReadMap = new Map();
  #held = new HeldRecords();
  /** While the owner reads ahead: offset of the first record that it left for later. */
  #left: number | null = null;
  /** Addresses of waiting requests, by the position that will be answered. */
  #replies = new Map<number, string>();

  constructor(options: FoldOwnerOptions) {
    this.#options = options;
    this.#name = journalOf(options.epoch, options.fold, options.partition);
    this.#refusals = new Refusals(options);
    this.#meter = stepMeter(options.metrics);
  }

  async open(): Promise<number> {
    const { fold, store, mine, saved, clock } = this.#options;
    this.#events = saved.forOwner();
    const last = await store.readJournal(this.#name);
    this.#page = last === null ? FIRST_PAGE : fromJournal(last, this.#options.format);
    this.#read = new Map(Object.entries(this.#page.read).map(([writer, [serial, at]]) => [writer, { serial, at }]));
    this.#settled = this.#page.settled;
    this.#written = this.#page.next;
    this.#end = this.#page.resume;
    this.#held = new HeldRecords();
    this.#left = null;
    this.#replies = new Map();
    if (last !== null) await this.#finish(this.#page);
    this.#state = fold.open();
    const { at } = this.#page;
    await fold.restore(this.#state, store.restorable(mine, { now: at || clock.now() }), at, this.#settled);
    return this.#page.resume;
  }

  async take(inputs: readonly Input[], most = RECORDS_AT_ONCE): Promise<Taken> {
    const fresh = inputs.filter((input) => this.#isNew(input));
    this.#end = (inputs.at(-1)?.offset ?? this.#end - 1) + 1;
    const { more, ...stepped } = await this.#step(fresh, most);
    const at = inputs.reduce((newest, input) => Math.max(newest, input.at), this.#page.at);
    const settled = this.#options.fold.settled?.(this.#state) ?? Number.POSITIVE_INFINITY;
    const released = this.#held.release(settled);
    const page = this.#pageOf(stepped, { next: this.#left ?? this.#end, at, settled });
    const start = performance.now();
    if (this.#canWait(page)) this.#page = { ...page, number: this.#page.number };
    else await this.#flushPage(page);
    for (const tenant of stepped.batch.forgotten) this.#events.forgetTenant(tenant);
    this.#measure(page, { fresh: stepped.inputs, released, start });
    const back = this.#turnBack();
    return { metadata: String(this.#page.number), resume: this.#page.resume, more, back };
  }

  /** Returns to the skipped records when nothing waits any more. */
  #turnBack(): number | null {
    const { backlog } = this.#options.fold;
    const left = this.#left;
    if (left === null || !backlog?.isEmpty(this.#state)) return null;
    backlog.return(this.#state);
    this.#left = null;
    this.#end = left;
    return left;
  }

  /** The consumer group alone knows the read position before the first page, so that one is always written. */
  #canWait(page: BatchPage): boolean {
    return this.#page.number > 0 && isEmpty(page) && page.next - this.#written < MAX_UNWRITTEN;
  }

  async #flushPage(page: BatchPage): Promise<void> {
    const { store, format } = this.#options;
    if (!(await store.writeJournal(this.#name, toJournal(page, format)))) throw new LostPartition(this.#name);
    this.#page = page;
    this.#written = page.next;
    await this.#finish(page);
  }

  sizes(): Readonly<Record<string, number>> {
    return this.#options.fold.sizes?.(this.#state, this.#options.clock.now()) ?? {};
  }

  #measure(
    page: BatchPage,
    { fresh, released, start }: { fresh: readonly Input[]; released: readonly HeldRecord[]; start: number },
  ): void {
    const { fold, metrics, clock } = this.#options;
    metrics.observe('faultline_commit_seconds', {}, (performance.now() - start) / 1000);
    metrics.observe('faultline_batch_records', {}, fresh.length);
    const emitted = { processor: fold.name, direction: 'out' };
    metrics.count('faultline_processor_records_total', emitted, page.outputs.length);
    const saved = page.outputs.filter(({ topic }) => topic === eventsSaved).map(({ entry }) => entry);
    measureHandled(metrics, handledOf(saved));
    const now = clock.now();
    for (const { receivedAt } of released)
      if (receivedAt !== null)
        metrics.observe('faultline_accepted_to_correlated_seconds', {}, Math.max(0, now - receivedAt) / 1000);
  }

  /**
   * Records before the last page's end are read again to refill memory, so their numbers do not count. But a settled
   * record may occur there again, resent by its writer, and would be decided again.
   */
  #isNew({ offset, writer, serial, entry }: Input): boolean {
    if (offset < this.#page.next) return entry.position > this.#settled;
    return !isRepeat(this.#read, writer, serial);
  }

  #noteRead({ offset, at, writer, serial }: Input): void {
    if (offset >= this.#page.next && serial > 0) this.#read.set(writer, { serial, at });
  }

  async #step(given: readonly Input[], most: number): Promise<Stepped & { readonly more: boolean }> {
    const { fold } = this.#options;
    const batch = openBatch(await this.#rows(fold.reads(this.#state, this.#entriesOf(given))));
    const inputs: Input[] = [];
    const stepped: Stepped = { batch, inputs, before: this.#page.at };
    const entries = given.map(({ entry }) => entry);
    const more = step({ processor: fold, state: this.#state }, entries, batch, {
      most,
      meter: this.#meter,
      admits: (index) => this.#admits(itemAt(given, index), inputs),
      reject: (entry, error) => this.#refusals.reject({ topic: fold.input, entry }, error, stepped),
    });
    return { ...stepped, more };
  }

  /** False when the record is a repeat, or left for later; throws when it cannot be decoded. */
  #admits(input: Input, taken: Input[]): boolean {
    const { entry, reply, fault } = input;
    if (!this.#isNew(input) || this.#leaves(input)) return false;
    taken.push(input);
    this.#noteRead(input);
    if (reply !== null) this.#replies.set(entry.position, reply);
    if (this.#left === null) {
      this.#held.add(input);
      if (fault === null) this.#newest = Math.max(this.#newest, entry.position);
    }
    if (fault !== null) throw new Error(fault);
    return true;
  }

  /** True if the record has to wait until there is room in memory for it. */
  #leaves({ offset, entry, fault }: Input): boolean {
    const { backlog } = this.#options.fold;
    if (backlog === undefined) return false;
    if (this.#left === null) {
      const isFull = backlog.isFull(this.#state) || this.#held.bytes >= MAX_HELD_BYTES;
      if (!isFull || backlog.isEmpty(this.#state)) return false;
      backlog.leave(this.#state);
      this.#left = offset;
    }
    return fault !== null || !backlog.wants(this.#state, entry);
  }

  /** While the owner reads ahead it needs no rows for skipped records. */
  #entriesOf(inputs: readonly Input[]): Entry<unknown>[] {
    const { backlog } = this.#options.fold;
    const wanted = ({ entry }: Input): boolean => this.#left === null || backlog?.wants(this.#state, entry) === true;
    return inputs.filter((input) => input.fault === null && wanted(input)).map(({ entry }) => entry);
  }

  #rows(reads: Reads): Promise<ReadRows> {
    const { store, sources } = this.#options;
    return readRows({ store: { load: (asked) => this.#events.load(store, asked) }, ...sources }, reads);
  }

  #pageOf(
    stepped: Stepped,
    { next, at, settled }: { readonly next: number; readonly at: number; readonly settled: number },
  ): BatchPage {
    const { batch } = stepped;
    const after = Math.max(next, this.#page.next);
    const { told } = this.#page;
    const outputs = this.#refusals
      .sendable(stepped)
      .filter((output) => !isRetold(this.#page, output))
      .map(
        ({ topic, entry }, index): Output => ({
          topic,
          entry,
          serial: this.#page.serial + index,
          reply: this.#replies.get(entry.position) ?? null,
        }),
      );
    return {
      number: this.#page.number + 1,
      // Not the end of the last page: earlier records may need to be read again.
      resume: this.#held.first?.offset ?? next,
      next: after,
      settled: Math.max(this.#page.settled, Number.isFinite(settled) ? settled : this.#newest),
      at,
      serial: this.#page.serial + outputs.length,
      read: this.#readNumbers(),
      changes: changesOf(batch),
      outputs,
      answers: this.#answersOf(batch, settled),
      rejected: batch.rejected,
      told,
    };
  }

  #readNumbers(): BatchPage['read'] {
    const newest = Math.max(0, ...[...this.#read.values()].map(({ at }) => at));
    dropSilentWriters(this.#read, newest);
    return Object.fromEntries([...this.#read].map(([writer, { serial, at }]) => [writer, [serial, at] as const]));
  }

  #answersOf(batch: StepBatch, settled: number): ReceiptReply[] {
    const answers: ReceiptReply[] = [];
    for (const [position, receipt] of batch.receipts) {
      const reply = this.#replies.get(position);
      if (reply !== undefined) answers.push({ reply, receipt });
    }
    for (const position of this.#replies.keys()) if (position <= settled) this.#replies.delete(position);
    return answers;
  }

  /** A document that the store will never accept is set aside: the batch is decided, and all else of it is saved. */
  async #save(page: BatchPage): Promise<void> {
    const { store, emitter, partition } = this.#options;
    const { events } = page.changes;
    try {
      const { furtherOn } = await store.save(page.changes);
      this.#events.saved(events, furtherOn);
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== 'unprocessable') throw error;
      this.#events.forget(events.map(({ event }) => event));
      await emitter.reject(partition, this.#refusals.documents(page, error));
    }
  }

  async #finish(page: BatchPage): Promise<void> {
    const { emitter, partition } = this.#options;
    await this.#save(page);
    const { outputs, rejected } = this.#refusals.sendableOf(page);
    if (rejected.length > 0) await emitter.reject(partition, rejected);
    await emitter.send(partition, outputs);
    await emitter.answer(page.answers);
  }
}
