import type { BatchListener } from '#infra/embedded/journal/commit-queue.ts';
import { WriteBehindCache } from '#infra/embedded/journal/write-behind.ts';

/** Records as they will be when all submitted batches are applied; those of a tenant and kind can be listed. */
export class PendingRecords<V extends {}> implements BatchListener {
  readonly #isRecording: () => boolean;
  readonly #scopes = new Map<string, WriteBehindCache<string, V>>();
  /** Scopes that the batch being recorded changes, and those that each pending batch has changed. */
  #open = new Set<string>();
  readonly #batches = new Map<number, ReadonlySet<string>>();

  constructor(isRecording: () => boolean) {
    this.#isRecording = isRecording;
  }

  /** By id; undefined when nothing is pending. */
  in(scope: string): Pick<WriteBehindCache<string, V>, 'get' | 'entries' | 'size'> | undefined {
    return this.#scopes.get(scope);
  }

  /** Does nothing while no batch is recorded: then the write is in the file at once. */
  set(scope: string, id: string, value: V): void {
    if (!this.#isRecording()) return;
    let records = this.#scopes.get(scope);
    if (records === undefined) {
      records = new WriteBehindCache(this.#isRecording);
      this.#scopes.set(scope, records);
    }
    records.set(id, value);
    this.#open.add(scope);
  }

  submitted(batch: number): void {
    if (this.#open.size === 0) return;
    for (const scope of this.#open) this.#scopes.get(scope)?.submitted(batch);
    this.#batches.set(batch, this.#open);
    this.#open = new Set();
  }
  applied(batch: number): void {
    this.#end(batch);
  }
  lost(batch: number): void {
    this.#end(batch);
  }
  discarded(): void {
    for (const scope of this.#open) this.#each(scope, (records) => records.discarded());
    this.#open = new Set();
  }

  #end(batch: number): void {
    for (const scope of this.#batches.get(batch) ?? []) this.#each(scope, (records) => records.applied(batch));
    this.#batches.delete(batch);
  }

  #each(scope: string, tell: (records: WriteBehindCache<string, V>) => void): void {
    const records = this.#scopes.get(scope);
    if (records === undefined) return;
    tell(records);
    if (records.size === 0) this.#scopes.delete(scope);
  }
}
