import type { SearchIndex } from '#domain/ports/search/search-index.ts';
import type { SearchDocument, SearchRef } from '#domain/search/document.ts';
import type { Database } from './journal/database.ts';
import { WriteBehindCache } from './journal/write-behind.ts';
import type { Reader } from './reader/reader.ts';
import { KnownWords } from './search/known-words.ts';
import { COLUMNS, type DocumentRow, documentOf, keyOf, rowOf } from './search/row.ts';

const PUT = `INSERT INTO search_document (tenant, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, kind, id) DO UPDATE SET (${COLUMNS}) =
    (excluded.kind, excluded.id, excluded.at, excluded.title, excluded.text, excluded.concepts, excluded.keywords, excluded.facts)`;
const REMOVE = 'DELETE FROM search_document WHERE tenant = ? AND kind = ? AND id = ?';
const GET = `SELECT ${COLUMNS} FROM search_document WHERE tenant = ? AND kind = ? AND id = ?`;
/** Removed at once; the rest waits for the next call. */
const TRIMMED = 2_000;
const TRIM = `DELETE FROM search_document WHERE n IN (SELECT n FROM search_document INDEXED BY search_document_at
  WHERE tenant = ? AND kind = ? ORDER BY at DESC, id DESC LIMIT ${TRIMMED} OFFSET ?)`;

/** Null: it will be gone. */
interface Pending {
  readonly document: SearchDocument | null;
}

/** Writes go with the batches of the pipeline, in the writer's thread; a point is read as it will be, searches wait for what was written. */
export const openSearchIndex = (database: Database, reader: Reader): SearchIndex => {
  const pending = database.addListener((isRecording) => new WriteBehindCache<string, Pending>(isRecording));
  const words = new KnownWords(database);
  const read = (tenant: string, ref: SearchRef): SearchDocument | null => {
    const waiting = pending.get(keyOf(tenant, ref));
    if (waiting !== undefined) return waiting.document;
    const row = database.arrays<DocumentRow>(GET).get(tenant, ref.kind, ref.id);
    return row === undefined ? null : documentOf(row);
  };
  return {
    async put(tenant, documents) {
      if (documents.length === 0) return;
      await database.submit(() => {
        for (const document of documents) {
          words.add(tenant, `${document.title} ${document.text}`);
          database.write(PUT, tenant, ...rowOf(document));
          pending.set(keyOf(tenant, document), { document });
        }
      });
    },
    async remove(tenant, refs) {
      if (refs.length === 0) return;
      await database.submit(() => {
        for (const ref of refs) {
          database.write(REMOVE, tenant, ref.kind, ref.id);
          pending.set(keyOf(tenant, ref), { document: null });
        }
      });
    },
    async trim(tenant, kind, keep) {
      await database.submit(() => void database.write(TRIM, tenant, kind, keep));
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
