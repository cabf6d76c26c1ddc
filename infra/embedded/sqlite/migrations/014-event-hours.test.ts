import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { MIGRATIONS, migrate } from '#infra/embedded/sqlite/migrations.ts';

const HOUR = 3_600_000;

test('events of a store of the layout before are counted by hour, those before 1970 too', () => {
  const db = new DatabaseSync(':memory:');
  migrate(
    db,
    MIGRATIONS.filter(({ id }) => id < 14),
  );
  for (const [place, [tenant, timestamp, severity]] of [
    ['acme', 5 * HOUR, 0],
    ['acme', 6 * HOUR - 1, 0],
    ['acme', 6 * HOUR, 4],
    ['acme', -1, 0],
    ['acme', -HOUR, 0],
    ['other', 5 * HOUR, 0],
  ].entries())
    db.prepare(
      `INSERT INTO event (seq, tenant, id, status, severity, source, timestamp, created_at, created_position, identity, body, state, gathered)
       VALUES (?, ?, ?, 1, ?, 'zabbix', ?, 1, 1, 'i', '{}', '{}', '{}')`,
    ).run(place + 1, tenant!, `event-${place}`, severity!, timestamp!);
  migrate(db);
  const rows = db.prepare('SELECT tenant, hour, status, severity, n FROM event_hour ORDER BY tenant, hour').all();
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['acme', -1, 1, 0, 2],
    ['acme', 5, 1, 0, 2],
    ['acme', 6, 1, 4, 1],
    ['other', 5, 1, 0, 1],
  ]);
});
