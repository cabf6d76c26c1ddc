import type { DatabaseSync } from 'node:sqlite';
import { SELECT_EVENT } from './event-row.ts';

/** What the table of events says to SQLite, prepared once. */
export const eventStatements = (db: DatabaseSync) => ({
  select: db.prepare(`${SELECT_EVENT} WHERE e.tenant = ? AND e.id = ?`, { returnArrays: true }),
  selectMany: db.prepare(`${SELECT_EVENT} WHERE e.tenant = ? AND e.id IN (SELECT value FROM json_each(?))`, {
    returnArrays: true,
  }),
  insert: db.prepare(`INSERT INTO event (tenant, id, status, severity, source, timestamp, created_at,
      created_position, identity, ci_id, host, address, correlation_id, resolved_at, open_ms, body, state, gathered)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`),
  insertTally: db.prepare('INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
  text: db.prepare('INSERT OR REPLACE INTO event_text (rowid, tenant, title, description) VALUES (?, ?, ?, ?)'),
  // None of these columns is in an index: a column that is named is a change to SQLite, whatever its value.
  tally: db.prepare(`UPDATE tally SET last = ?, count = ?, seen_bin = ?, seen_bits = ?, position = ?, updated_at = ?,
      latest = ? WHERE seq = ?`),
  move: db.prepare('UPDATE tally SET first = ?, slot = ? WHERE seq = ?'),
  gathered: db.prepare('UPDATE event SET gathered = ? WHERE seq = ?'),
  magnitude: db.prepare('UPDATE tally SET magnitude = ? WHERE seq = ?'),
  touch: db.prepare('UPDATE tally SET position = ?, updated_at = ? WHERE seq = ?'),
  state: db.prepare(`UPDATE event SET status = ?, severity = ?, ci_id = ?, resolved_at = ?, open_ms = ?,
      state = ? WHERE seq = ?`),
  tallyState: db.prepare('UPDATE tally SET status = ?, severity = ? WHERE seq = ?'),
  count: db.prepare('INSERT INTO event_count VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n'),
  remove: ['event WHERE seq', 'tally WHERE seq', 'event_text WHERE rowid'].map((rows) =>
    db.prepare(`DELETE FROM ${rows} = ?`),
  ),
  assign: db.prepare('UPDATE event SET correlation_id = ? WHERE seq = ?'),
  rewrite: db.prepare('UPDATE event SET timestamp = ?, body = ? WHERE seq = ?'),
});

export type EventStatements = ReturnType<typeof eventStatements>;
