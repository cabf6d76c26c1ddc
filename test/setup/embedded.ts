import { openTables, type Tables } from '#infra/embedded/open-tables.ts';
import { openReader, type Reader } from '#infra/embedded/reader/reader.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { openTopology } from '#infra/embedded/topology-store.ts';
import { temporaryDirectory } from './directory.ts';
import { fileDatabase, memoryDatabase } from './empty-database.ts';

export interface Embedded {
  readonly database: Database;
  readonly tables: Tables;
  readonly reader: Reader;
  close(): Promise<void>;
}

/** An empty database with its reader, in memory or in a file that is deleted with it. */
export function openEmbedded(where: 'memory' | 'file'): Embedded {
  const directory = where === 'file' ? temporaryDirectory() : null;
  const database = directory === null ? memoryDatabase() : fileDatabase(directory.path);
  const reader = openReader(database);
  const close = async () => {
    await Promise.all([reader.close(), database.endWriter()]);
    database.close();
    directory?.remove();
  };
  return { database, tables: openTables(database), reader, close };
}

/** A topology in memory with nothing beside it. */
export const memoryTopology = (historyInMemory?: number) => {
  const database = memoryDatabase();
  return openTopology(database, openTables(database), historyInMemory);
};
