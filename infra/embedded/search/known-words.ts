import { Lru } from '#domain/lru.ts';
import { plainWords } from '#domain/plain-words.ts';
import type { Database } from '#infra/embedded/journal/database.ts';

/** Letters of words that are kept whole: what is shorter is seldom mistyped, what is longer is no word. */
const WORD = /^\p{L}{4,32}$/u;
/** Words of a tenant. */
const MAX_WORDS = 50_000;
/** Tenants of which this process knows the words. */
const MAX_TENANTS = 20;

const READ = `SELECT word FROM search_word WHERE tenant = ? LIMIT ${MAX_WORDS}`;
const ADD = 'INSERT OR IGNORE INTO search_word (tenant, word) VALUES (?, ?)';

/** The words that documents of a tenant have: a word that is known already costs no write. */
export class KnownWords {
  readonly #database: Database;
  readonly #known = new Lru<string, Set<string>>(MAX_TENANTS);

  constructor(database: Database) {
    this.#database = database;
    database.onRollback(() => this.#known.clear());
  }

  /** Writes those of a text that are new; to be called where changes are recorded. */
  add(tenant: string, text: string): void {
    const known = this.#of(tenant);
    for (const word of plainWords(text).split(' ')) {
      if (known.has(word) || !WORD.test(word) || known.size >= MAX_WORDS) continue;
      known.add(word);
      this.#database.write(ADD, tenant, word);
    }
  }

  #of(tenant: string): Set<string> {
    const known = this.#known.get(tenant);
    if (known !== undefined) return known;
    const rows = this.#database.arrays<[string]>(READ).all(tenant);
    const words = new Set(rows.map(([word]) => word));
    this.#known.set(tenant, words);
    return words;
  }
}
