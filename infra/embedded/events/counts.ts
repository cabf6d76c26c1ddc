import { type Event, severityRank } from '#domain/event/event.ts';
import { hourOf } from '#domain/event/source-counts.ts';
import type { Database } from '#infra/embedded/journal/database.ts';
import { statusCode } from './row.ts';

/** The fields by which an event is counted; source and time never change. */
type Counted = Pick<Event, 'tenant' | 'source' | 'status' | 'severity' | 'timestamp'>;
type Key = readonly (string | number)[];

const OF_SOURCES = 'INSERT INTO event_count VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n';
const OF_HOURS = 'INSERT INTO event_hour VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n';
const NO_HOURS = 'DELETE FROM event_hour WHERE tenant = ? AND hour = ? AND status = ? AND severity = ? AND n = 0';

/** Differences by key. */
class Differences {
  readonly #differences = new Map<string, { readonly key: Key; n: number }>();

  add(key: Key, n: number): void {
    const text = key.join('\n');
    const known = this.#differences.get(text);
    if (known === undefined) this.#differences.set(text, { key, n });
    else known.n += n;
  }

  *take(): Generator<{ readonly key: Key; readonly n: number }> {
    for (const difference of this.#differences.values()) if (difference.n !== 0) yield difference;
    this.#differences.clear();
  }

  clear(): void {
    this.#differences.clear();
  }
}

/**
 * Numbers of events by source and by hour of event time, each by status and severity. Within a batch or transaction differences are added
 * up, and written at its end: its events share few hours and sources.
 */
export class StoredCounts {
  readonly #database: Database;
  readonly #sources = new Differences();
  readonly #hours = new Differences();

  constructor(database: Database) {
    this.#database = database;
    database.beforeCommit(() => this.#finish());
    database.onRollback(() => this.#forget());
  }

  add({ tenant, source, status, severity, timestamp }: Counted, n: number): void {
    const [code, rank] = [statusCode(status), severityRank(severity)];
    this.#sources.add([tenant, source, code, rank], n);
    this.#hours.add([tenant, hourOf(timestamp), code, rank], n);
    if (!this.#database.isWriting) this.#finish();
  }

  #finish(): void {
    for (const { key, n } of this.#sources.take()) this.#database.write(OF_SOURCES, ...key, n);
    for (const { key, n } of this.#hours.take()) {
      this.#database.write(OF_HOURS, ...key, n);
      if (n < 0) this.#database.write(NO_HOURS, ...key);
    }
  }

  #forget(): void {
    this.#sources.clear();
    this.#hours.clear();
  }
}
