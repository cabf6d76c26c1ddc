import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { EVENT_COLUMNS, type EventTableRow, SELECT_EVENT } from './row.ts';

/** Statements of the event table, prepared once. */
export const eventStatements = ({ arrays }: Pick<RowReader, 'arrays'>) => ({
  select: arrays<EventTableRow>(`${SELECT_EVENT} WHERE e.tenant = ? AND e.id = ?`),
  /** Accepts the keys as JSON: arrays of tenant and id. */
  selectMany: arrays<EventTableRow>(
    `SELECT ${EVENT_COLUMNS} FROM json_each(?) k
       CROSS JOIN event e ON e.tenant = k.value ->> 0 AND e.id = k.value ->> 1 CROSS JOIN tally t ON t.seq = e.seq`,
  ),
});

export type EventStatements = ReturnType<typeof eventStatements>;

/** The parts that it changes. */
export const WRITES = {
  insert: `INSERT INTO event (seq, tenant, id, status, severity, source, timestamp, created_at,
      created_position, identity, ci_id, host, address, correlation_id, resolved_at, open_ms, body, state, gathered,
      signature) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  insertTally: 'INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  text: 'INSERT OR REPLACE INTO event_text (rowid, tenant, title, description) VALUES (?, ?, ?, ?)',
  // None of these columns is in an index: SQLite treats a named column as changed, with any value.
  tally: `UPDATE tally SET last = ?, count = ?, seen_bin = ?, seen_bits = ?, position = ?, updated_at = ?,
      latest = ? WHERE seq = ?`,
  move: 'UPDATE tally SET first = ?, slot = ? WHERE seq = ?',
  gathered: 'UPDATE event SET gathered = ? WHERE seq = ?',
  magnitude: 'UPDATE tally SET magnitude = ? WHERE seq = ?',
  touch: 'UPDATE tally SET position = ?, updated_at = ? WHERE seq = ?',
  told: 'UPDATE event SET state = ? WHERE seq = ?',
  state: `UPDATE event SET status = ?, severity = ?, ci_id = ?, resolved_at = ?, open_ms = ?,
      state = ? WHERE seq = ?`,
  tallyState: 'UPDATE tally SET status = ?, severity = ? WHERE seq = ?',
  remove: ['event WHERE seq', 'tally WHERE seq', 'event_text WHERE rowid'].map((rows) => `DELETE FROM ${rows} = ?`),
  sign: 'UPDATE event SET signature = ? WHERE seq = ?',
  silence: 'UPDATE event SET silenced_by = ? WHERE seq = ?',
  assign: 'UPDATE event SET correlation_id = ? WHERE seq = ?',
  change: 'UPDATE event SET is_change = ? WHERE seq = ?',
  rewrite: 'UPDATE event SET timestamp = ?, host = ?, address = ?, body = ? WHERE seq = ?',
};
