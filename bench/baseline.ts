/** The baseline for storage: plain inserts of the storm's rows, 500 per transaction, as durable as the server's. Prints rows per second. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Storm } from './storm.ts';

const ROWS = 100_000;
const PER_TRANSACTION = 500;

const directory = mkdtempSync(join(tmpdir(), 'faultline-baseline-'));
const db = new DatabaseSync(join(directory, 'baseline.db'));
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE event (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, host TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL) STRICT;`);
const insert = db.prepare('INSERT INTO event (tenant, host, title, body) VALUES (?, ?, ?, ?)');
const storm = new Storm({ tenants: 50, cis: 100_000 });
const rows = Array.from({ length: ROWS }, () => {
  const event = storm.some(storm.tenant(), 0.1);
  return ['tenant', event.hostname, event.title, JSON.stringify(event)] as const;
});
const began = performance.now();
for (let from = 0; from < ROWS; from += PER_TRANSACTION) {
  db.exec('BEGIN');
  for (const row of rows.slice(from, from + PER_TRANSACTION)) insert.run(...row);
  db.exec('COMMIT');
}
console.log(Math.round((ROWS * 1000) / (performance.now() - began)));
db.close();
rmSync(directory, { recursive: true });
