import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { carryOutPacked, mark } from './redo.ts';
import type { Entry, RedoLog } from './redo-log.ts';

/**
 * One transaction that stays open for many entries: each is carried out at once, so that what the database refuses is known before it
 * is kept, and is in the redo log until the commit.
 */
export class OpenEntries {
  readonly #db: DatabaseSync;
  readonly #statement: (text: string) => StatementSync;
  readonly #log: RedoLog;
  #entries: Entry[] = [];
  #bytes = 0;
  /** The transaction is gone; its entries are to be carried out again. */
  #isLost = false;

  constructor(db: DatabaseSync, statement: (text: string) => StatementSync, log: RedoLog) {
    this.#db = db;
    this.#statement = statement;
    this.#log = log;
  }

  get count(): number {
    return this.#entries.length;
  }
  get bytes(): number {
    return this.#bytes;
  }

  /** Carries out the changes and puts them in the log. Throws when either fails; then nothing of them is left. */
  keep(content: Uint8Array): void {
    try {
      this.#recover();
      this.#begin();
      carryOutPacked(this.#statement, content);
      this.#entries.push({ number: this.#log.append(content), content });
      this.#bytes += content.length;
    } catch (error) {
      this.#undo();
      throw error;
    }
  }

  /** Returns how many entries are in the database now. Throws when they are not: then they wait for the next commit. */
  commit(): number {
    const { count } = this;
    if (count === 0) return 0;
    try {
      this.#recover();
      mark(this.#statement, this.#entries.at(-1)!.number);
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#rollback();
      throw error;
    }
    this.#log.restart();
    this.#entries = [];
    this.#bytes = 0;
    return count;
  }

  #begin(): void {
    if (!this.#db.isTransaction) this.#db.exec('BEGIN IMMEDIATE');
  }

  #recover(): void {
    if (!this.#isLost) return;
    this.#begin();
    for (const { content } of this.#entries) carryOutPacked(this.#statement, content);
    this.#isLost = false;
  }

  #rollback(): void {
    this.#isLost = this.#entries.length > 0;
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
  }

  /** Leaves the transaction as it was before; when that does not succeed, the next entry or commit tries it again. */
  #undo(): void {
    try {
      this.#rollback();
      this.#recover();
    } catch {
      this.#isLost = this.#entries.length > 0;
    }
  }
}
