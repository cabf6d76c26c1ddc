import type { DatabaseSync } from 'node:sqlite';
import type { Prepare } from '#infra/embedded/sqlite/rows.ts';
import type { DurableEntry } from './messages.ts';
import { executeEntry, type RefusedChange, setLastApplied, storeRefused } from './replay.ts';
import { LateStatements } from './statements.ts';

/** The result of a commit. */
export interface Committed {
  /** Number of the newest entry, and of its batch. */
  readonly last: number;
  readonly through: number;
  readonly refused: readonly RefusedChange[];
}

/** One transaction that stays open for many journal entries; the journal has them until the commit. */
export class OpenTransaction {
  readonly #db: DatabaseSync;
  readonly #statement: Prepare;
  #entries: DurableEntry[] = [];
  /** Number of leading entries already executed. */
  #done = 0;
  #bytes = 0;
  #refused: RefusedChange[] = [];
  readonly #late = new LateStatements();
  #hasFailed = false;

  constructor(db: DatabaseSync, statement: Prepare) {
    this.#db = db;
    this.#statement = statement;
  }

  get count(): number {
    return this.#entries.length;
  }
  get bytes(): number {
    return this.#bytes;
  }

  /** True if the store failed: the entries wait until a commit is requested. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Executes the entries at once, unless earlier ones wait for a commit. Throws when the store fails. */
  take(entries: readonly DurableEntry[]): void {
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#bytes += entry.content.length;
    }
    if (!this.#hasFailed) this.#attempt(() => this.#execute());
  }

  /** Null without entries. Throws when the store fails: then the entries wait for the next commit. */
  commit(): Committed | null {
    const newest = this.#entries.at(-1);
    if (newest === undefined) return null;
    this.#attempt(() => {
      this.#execute();
      this.#late.run(this.#statement);
      storeRefused(this.#statement, this.#refused);
      setLastApplied(this.#statement, newest.number);
      this.#db.exec('COMMIT');
    });
    const committed = { last: newest.number, through: newest.batch, refused: this.#refused };
    this.#entries = [];
    this.#bytes = 0;
    this.#reset();
    return committed;
  }

  #execute(): void {
    if (!this.#db.isTransaction) {
      this.#reset();
      this.#db.exec('BEGIN IMMEDIATE');
    }
    for (const entry of this.#entries.slice(this.#done)) {
      executeEntry(this.#statement, entry, { refused: this.#refused, late: this.#late });
      this.#done += 1;
    }
  }

  #reset(): void {
    this.#done = 0;
    this.#refused = [];
    this.#late.clear();
  }

  /** Rolls back on failure. */
  #attempt(work: () => void): void {
    try {
      work();
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }
}
