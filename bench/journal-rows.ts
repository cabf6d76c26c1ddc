/** The redo log as rows of a second SQLite file, to compare it with files of its own. It is not read at a start: the server ends first. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JournalFile } from '#infra/embedded/journal/journal-file.ts';

export type { JournalFile };

const FILE = 'journal-rows.db';

export function openJournalFile(directory: string, _identity: number, last: number): JournalFile {
  const db = new DatabaseSync(join(directory, FILE));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE IF NOT EXISTS entry (number INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT');
  const insert = db.prepare('INSERT INTO entry VALUES (?, ?)');
  const forget = db.prepare('DELETE FROM entry WHERE number <= ?');
  let next = last + 1;
  return {
    append(contents) {
      const first = next;
      db.exec('BEGIN IMMEDIATE');
      for (const content of contents) insert.run(next++, content);
      db.exec('COMMIT');
      return first;
    },
    release: (through) => void forget.run(through),
    close: () => db.close(),
  };
}

export function removeJournal(directory: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(directory, FILE + end), { force: true });
}
