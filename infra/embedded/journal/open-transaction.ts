import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Entry } from './journal-entries.ts';
import { carryOutKept, mark, type Refused, setAside } from './replay.ts';

/** What a commit brought to the database. */
export interface Committed {
  readonly count: number;
  /** Number of the newest entry. */
  readonly through: number;
  readonly refused: readonly Refused[];
}

/** One transaction that stays open for many entries of the redo log, which has them until the commit. */
export class OpenEntries {
  readonly #db: DatabaseSync;
  readonly #statement: (text: string) => StatementSync;
  #entries: Entry[] = [];
  /** So many of them, the oldest, are carried out in the open transaction. */
  #done = 0;
  #bytes = 0;
  #refused: Refused[] = [];
  #hasFailed = false;

  constructor(db: DatabaseSync, statement: (text: string) => StatementSync) {
    this.#db = db;
    this.#statement = statement;
  }

  get count(): number {
    return this.#entries.length;
  }
  get bytes(): number {
    return this.#bytes;
  }

  /** The store did not take them: they wait for somebody to ask for a commit. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Carries them out at once, unless those before them wait for a commit. Throws when the store fails. */
  take(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#bytes += entry.content.length;
    }
    if (!this.#hasFailed) this.#attempt(() => this.#carryOut());
  }

  /** Null when there is nothing. Throws when they are not in the database: then they wait for the next commit. */
  commit(): Committed | null {
    const through = this.#entries.at(-1)?.number;
    if (through === undefined) return null;
    this.#attempt(() => {
      this.#carryOut();
      setAside(this.#statement, this.#refused);
      mark(this.#statement, through);
      this.#db.exec('COMMIT');
    });
    const committed = { count: this.count, through, refused: this.#refused };
    this.#entries = [];
    this.#bytes = 0;
    this.#begunAnew();
    return committed;
  }

  #carryOut(): void {
    if (!this.#db.isTransaction) {
      this.#begunAnew();
      this.#db.exec('BEGIN IMMEDIATE');
    }
    for (const entry of this.#entries.slice(this.#done)) {
      this.#refused.push(...carryOutKept(this.#statement, entry));
      this.#done += 1;
    }
  }

  #begunAnew(): void {
    this.#done = 0;
    this.#refused = [];
  }

  /** Nothing is left half done. */
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
