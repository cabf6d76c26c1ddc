import { forgetOldest, Lru } from '#domain/lru.ts';
import { plainWords } from '#domain/plain-words.ts';
import type { SearchIndex } from '#domain/ports/search/search-index.ts';
import type { SearchDocument, SearchRef } from '#domain/search/document.ts';
import type { Reader } from './reader/reader.ts';
import type { Database } from './redo-log/database.ts';
import { joinChanges } from './redo-log/joined-changes.ts';
import { WriteBehindCache } from './redo-log/write-behind.ts';
import { COLUMNS, type DocumentRow, documentOf, keyOf, rowOf } from './search/row.ts';
import { SEARCH_SETTLED } from './sqlite/migrations.ts';

/** Letters of words that are stored whole: shorter ones are seldom mistyped, longer ones are no words. */
const WORD = /^\p{L}{4,32}$/u;
/** Words of a tenant. */
const MAX_WORDS = 50_000;
/** Tenants of which this process knows the words. */
const MAX_TENANTS = 20;
/** Lines remembered of each: the next document of a complaint repeats most of them. */
const MAX_LINES = 5_000;

const READ = `SELECT word FROM search_word WHERE tenant = ? LIMIT ${MAX_WORDS}`;
const ADD = 'INSERT OR IGNORE INTO search_word (tenant, word) VALUES (?, ?)';

interface Known {
  readonly words: Set<string>;
  /** Lines of known words only. */
  readonly lines: Set<string>;
}

/** The words that documents of a tenant have: a word that is known already costs no write. */
class KnownWords {
  readonly #database: Database;
  readonly #known = new Lru<string, Known>(MAX_TENANTS);

  constructor(database: Database) {
    this.#database = database;
    database.onRollback(() => this.#known.clear());
  }

  /** Writes those of a text that are new; to be called where changes are recorded. */
  add(tenant: string, text: string): void {
    const { words, lines } = this.#of(tenant);
    for (const line of text.split('\n')) {
      if (lines.has(line)) continue;
      for (const word of plainWords(line).split(' ')) {
        if (words.has(word) || !WORD.test(word) || words.size >= MAX_WORDS) continue;
        words.add(word);
        this.#database.write(ADD, tenant, word);
      }
      if (lines.size >= MAX_LINES) forgetOldest(lines);
      lines.add(line);
    }
  }

  #of(tenant: string): Known {
    const before = this.#known.get(tenant);
    if (before !== undefined) return before;
    const rows = this.#database.arrays<[string]>(READ).all(tenant);
    const known = { words: new Set(rows.map(([word]) => word)), lines: new Set<string>() };
    this.#known.set(tenant, known);
    return known;
  }
}

const PUT = `INSERT INTO search_document (tenant, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, kind, id) DO UPDATE SET (${COLUMNS}) =
    (excluded.kind, excluded.id, excluded.at, excluded.title, excluded.text, excluded.concepts, excluded.keywords, excluded.facts)`;
const REMOVE = 'DELETE FROM search_document WHERE tenant = ? AND kind = ? AND id = ?';
const GET = `SELECT ${COLUMNS} FROM search_document WHERE tenant = ? AND kind = ? AND id = ?`;
/** Removed at once; further ones wait for the next call. */
const TRIMMED = 2_000;
const TRIM = `DELETE FROM search_document WHERE n IN (SELECT n FROM search_document INDEXED BY search_document_at
  WHERE tenant = ? AND kind = ? ORDER BY at DESC, id DESC LIMIT ${TRIMMED} OFFSET ?)`;

/** Null: it will be gone. */
interface Pending {
  readonly document: SearchDocument | null;
}

/**
 * Writes belong to the batches of the pipeline, in the writer's thread; a point read returns the future state, searches
 * wait for writes.
 */
export const openSearchIndex = (database: Database, reader: Reader): SearchIndex => {
  const pending = database.addListener((isRecording) => new WriteBehindCache<string, Pending>(isRecording));
  const words = new KnownWords(database);
  const change = joinChanges(database);
  const read = (tenant: string, ref: SearchRef): SearchDocument | null => {
    const waiting = pending.get(keyOf(tenant, ref));
    if (waiting !== undefined) return waiting.document;
    const row = database.arrays<DocumentRow>(GET).get(tenant, ref.kind, ref.id);
    return row === undefined ? null : documentOf(row);
  };
  return {
    async put(tenant, documents) {
      if (documents.length === 0) return;
      await change(() => {
        for (const document of documents) {
          words.add(tenant, `${document.title}\n${document.text}`);
          database.write(PUT, tenant, ...rowOf(document));
          pending.set(keyOf(tenant, document), { document });
        }
        for (const text of SEARCH_SETTLED) database.write(text);
      });
    },
    async remove(tenant, refs) {
      if (refs.length === 0) return;
      await change(() => {
        for (const ref of refs) {
          database.write(REMOVE, tenant, ref.kind, ref.id);
          pending.set(keyOf(tenant, ref), { document: null });
        }
      });
    },
    async trim(tenant, kind, keep) {
      await change(() => void database.write(TRIM, tenant, kind, keep));
    },
    async get(tenant, refs) {
      return refs.map((ref) => read(tenant, ref)).filter((document) => document !== null);
    },
    async list(tenant, options) {
      await database.applied();
      return reader.run('search.list', { tenant, options });
    },
    async search(tenant, query) {
      await database.applied();
      return reader.run('search.find', { tenant, query });
    },
    async tagged(tenant, query) {
      await database.applied();
      return reader.run('search.tagged', { tenant, query });
    },
  };
};
