import type { Database } from './database.ts';

/** What one batch put on one topic. The body is the writer's own encoding. */
export interface OutboxRow {
  readonly topic: string;
  readonly first: number;
  readonly last: number;
  readonly body: string | Uint8Array;
}

export interface OutboxTable {
  write(row: OutboxRow): void;
  /** Rows whose last position is above `position`, oldest first. */
  after(topic: string, position: number, limit: number): OutboxRow[];
  /** Forgets the rows of a topic that end at or before `through`; returns how many. */
  prune(topic: string, through: number): number;
}

export const openOutboxTable = (database: Database): OutboxTable => ({
  write({ topic, first, last, body }) {
    database.write('INSERT INTO outbox (topic, first, last, body) VALUES (?, ?, ?, ?)', topic, first, last, body);
  },
  after: (topic, position, limit) =>
    database
      .statement('SELECT topic, first, last, body FROM outbox WHERE topic = ? AND last > ? ORDER BY last, seq LIMIT ?')
      .all(topic, position, limit) as unknown as OutboxRow[],
  prune: (topic, through) => database.write('DELETE FROM outbox WHERE topic = ? AND last <= ?', topic, through),
});
