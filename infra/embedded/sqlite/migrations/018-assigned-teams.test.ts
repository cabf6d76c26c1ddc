import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { conditionsOf, through } from '#infra/embedded/events/filter.ts';
import { readingOver } from '#infra/embedded/journal/connections.ts';
import { MIGRATIONS, migrate } from '#infra/embedded/sqlite/migrations.ts';

test('events of a store of the layout before are found by their team', () => {
  const db = new DatabaseSync(':memory:');
  migrate(
    db,
    MIGRATIONS.filter(({ id }) => id < 18),
  );
  const assigned = { assignedTeam: { id: 't1', name: 'Storage' } };
  for (const [place, [tenant, state]] of (
    [
      ['acme', assigned],
      ['acme', {}],
      ['other', assigned],
    ] as const
  ).entries()) {
    db.prepare(
      `INSERT INTO event (seq, tenant, id, status, severity, source, timestamp, created_at, created_position, identity, body, state, gathered)
       VALUES (?, ?, ?, 1, 1, 'zabbix', 1, 1, 1, 'i', '{}', ?, '{}')`,
    ).run(place + 1, tenant, `event-${place}`, JSON.stringify(state));
    db.prepare('INSERT INTO event_facet (seq, timestamp, status, severity, flags) VALUES (?, 1, 1, 1, 0)').run(
      place + 1,
    );
  }
  migrate(db);
  db.function('interruptible', { varargs: true }, () => 1);
  const found = (assignee: string | null) => {
    const conditions = conditionsOf(readingOver(db), 'acme', { assignee });
    const { text, values } = through(assignee === null ? 'severity' : 'assignee', conditions, false);
    return db
      .prepare(`SELECT e.id ${text}`)
      .all(...values)
      .map(({ id }) => id);
  };
  expect(found('t1')).toEqual(['event-0']);
  expect(found(null)).toEqual(['event-1']);
});
