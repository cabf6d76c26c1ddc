import { createHash } from 'node:crypto';
import type { ResolvedSettings } from '#domain/correlation/records.ts';
import { completed } from '#domain/correlation/settings/resolve.ts';
import { nextOver, type Reading, writingOver } from '#infra/embedded/journal/database.ts';

/** Dictionary encoding of the settings of arrivals: each content is stored once. */
export class SettingsDictionary {
  readonly #rows: Reading;
  #ids = new WeakMap<ResolvedSettings, number>();
  /** Numbers by hash of the content. */
  readonly #hashes = new Map<string, number>();
  /** Few in number: a tenant changes its settings by hand. */
  readonly #read = new Map<number, ResolvedSettings>();

  constructor(rows: Reading) {
    this.#rows = rows;
  }

  /** To be called after a rollback: numbers given since may be given again. */
  forget(): void {
    this.#ids = new WeakMap();
    this.#hashes.clear();
    this.#read.clear();
  }

  put(settings: ResolvedSettings): number {
    let id = this.#ids.get(settings);
    if (id === undefined) {
      id = this.#intern(JSON.stringify(settings));
      this.#ids.set(settings, id);
    }
    return id;
  }

  #intern(body: string): number {
    const hash = createHash('sha256').update(body).digest('base64url');
    const known = this.#hashes.get(hash) ?? this.#numberOf(hash) ?? this.#insert(hash, body);
    this.#hashes.set(hash, known);
    return known;
  }

  #numberOf(hash: string): number | undefined {
    const row = this.#rows.arrays<[number]>('SELECT id FROM settings_snapshot WHERE hash = ?').get(hash);
    return row?.[0];
  }

  #insert(hash: string, body: string): number {
    const id = nextOver(this.#rows, 'settings_snapshot', 'id');
    writingOver(this.#rows)('INSERT INTO settings_snapshot (id, hash, body) VALUES (?, ?, ?)', id, hash, body);
    return id;
  }

  get(id: number): ResolvedSettings {
    let settings = this.#read.get(id);
    if (settings === undefined) {
      const row = this.#rows.statement('SELECT body FROM settings_snapshot WHERE id = ?').get(id);
      settings = completed(JSON.parse(String(row?.body)) as ResolvedSettings);
      this.#read.set(id, settings);
    }
    return settings;
  }
}
