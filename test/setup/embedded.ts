import { type Database, MEMORY, openDatabase } from '#infra/embedded/journal/database.ts';
import { openReader, type Reader } from '#infra/embedded/reader/reader.ts';
import { temporaryDirectory } from './directory.ts';

export interface Embedded {
  readonly database: Database;
  readonly reader: Reader;
  close(): Promise<void>;
}

/** An empty database with its reader, in memory or in a file that goes with it. */
export function openEmbedded(where: 'memory' | 'file'): Embedded {
  const directory = where === 'file' ? temporaryDirectory() : null;
  const database = openDatabase(directory?.path ?? MEMORY);
  const reader = openReader(database);
  const close = async () => {
    await reader.close();
    database.close();
    directory?.remove();
  };
  return { database, reader, close };
}
