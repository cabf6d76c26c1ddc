import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Database, MEMORY, openDatabase } from '#infra/embedded/journal/database.ts';
import { DATABASE_FILE } from '#infra/embedded/sqlite/data-directory.ts';
import { migrate } from '#infra/embedded/sqlite/migrations.ts';

let kept: Uint8Array | null = null;
/** A database at the newest layout that nobody has opened: to copy it takes an eighth of the steps to it. */
function newest(): Uint8Array {
  if (kept !== null) return kept;
  const db = new DatabaseSync(MEMORY);
  migrate(db);
  kept = db.serialize();
  db.close();
  return kept;
}

/** An empty database in memory. */
export const memoryDatabase = (): Database => openDatabase(MEMORY, { prepareMemory: (db) => db.deserialize(newest()) });

/** An empty database in a directory that is there. */
export function fileDatabase(directory: string): Database {
  writeFileSync(join(directory, DATABASE_FILE), newest());
  return openDatabase(directory);
}
