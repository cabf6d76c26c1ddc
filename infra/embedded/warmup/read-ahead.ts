import type { SQLInputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Share } from '#infra/embedded/reader/fair-queue.ts';
import { openReader } from '#infra/embedded/reader/reader.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';

/** Answers of one statement that are prefetched. */
const AHEAD = 64;
/** Statements at a time. */
const STATEMENTS = 4;
/** Timeout for each, with those before it: a disk that must seek every row is slow, and no caller waits yet. */
const TIMEOUT_MS = 10 * 60_000;
const THREADS = 2;
const MOST = STATEMENTS * AHEAD;
/** The start alone asks it. */
const ALL: Share = { running: THREADS, runningOfTenant: THREADS, maxOfTenant: MOST, max: MOST };

/** Reads in a thread of its own what memory is refilled from, so that this one only builds. */
export interface ReadAhead {
  /** Runs the statement for each list of values, in order, one per turn of the event loop. Begins at once. */
  rows<Row extends readonly unknown[]>(
    text: string,
    bindings: Iterable<readonly SQLInputValue[]>,
  ): AsyncGenerator<readonly Row[]>;
  close(): Promise<void>;
}

async function* inTurn<Row>(asked: Promise<readonly Row[]>[], ask: () => void): AsyncGenerator<readonly Row[]> {
  for (let next = asked.shift(); next !== undefined; next = asked.shift()) {
    const rows = await next;
    ask();
    yield rows;
    await setImmediate();
  }
}

export function openReadAhead(database: Database): ReadAhead {
  const reader = openReader(database, {
    threads: THREADS,
    shares: { request: ALL, background: ALL },
    timeoutMs: TIMEOUT_MS,
  });
  return {
    rows<Row extends readonly unknown[]>(text: string, bindings: Iterable<readonly SQLInputValue[]>) {
      const rest = bindings[Symbol.iterator]();
      const asked: Promise<readonly Row[]>[] = [];
      const ask = (): void => {
        const { value: values, done } = rest.next();
        if (done) return;
        const answer = reader.run('rows', { text, values }) as Promise<unknown> as Promise<readonly Row[]>;
        // The reader of the result gets the failure; a start may end before one reads it.
        answer.catch(() => {});
        asked.push(answer);
      };
      for (let i = 0; i < AHEAD; i++) ask();
      return inTurn(asked, ask);
    },
    close: () => reader.close(),
  };
}
