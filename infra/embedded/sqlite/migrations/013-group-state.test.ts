import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { groupRow } from '#infra/embedded/correlation/group-rows.ts';
import { readingOver } from '#infra/embedded/journal/connections.ts';
import { MIGRATIONS, migrate } from '#infra/embedded/sqlite/migrations.ts';
import { sampleGroup } from '#test/contract/samples.ts';
import { standingOfMembers } from '#test/setup/standing.ts';

const BEFORE = MIGRATIONS.filter(({ id }) => id < 13);

/** Status and severity of each, and the group as it was assigned. */
const MEMBERS = [
  ['open', 'minor', 1, {}],
  ['resolved', 'critical', 1, {}],
  ['resolved', 'critical', 1, { supersededBy: '01X' }],
  ['acknowledged', 'warning', 2, {}],
  ['open', 'major', 3, {}],
  ['open', 'critical', null, {}],
] as const;
const STATUS = ['open', 'acknowledged', 'resolved', 'suppressed'];
const RANK = ['info', 'warning', 'minor', 'major', 'critical'];

test('a store of the layout before has the states of its groups when it is opened', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, BEFORE);
  const one = sampleGroup(1, { aliases: [sampleGroup(3).id] });
  const groups = [one, sampleGroup(2), sampleGroup(3, { status: 'merged', mergedInto: one.id }), sampleGroup(4)];
  for (const group of groups)
    db.prepare('INSERT INTO grp VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      ...[group.tenant, group.id, group.status, group.mergedInto, group.first, group.last, group.size, group.position],
      JSON.stringify(group),
    );
  db.prepare('INSERT INTO grp_alias VALUES (?, ?, ?)').run('acme', sampleGroup(3).id, one.id);
  for (const [place, [status, severity, group, more]] of MEMBERS.entries())
    db.prepare(
      `INSERT INTO event (seq, tenant, id, status, severity, source, timestamp, created_at, created_position, identity,
         ci_id, correlation_id, body, state, gathered)
       VALUES (?, 'acme', ?, ?, ?, 'zabbix', 1, 1, 1, 'i', 'ci-1', ?, ?, ?, '{}')`,
    ).run(
      ...[place + 1, `event-${place}`, STATUS.indexOf(status), RANK.indexOf(severity)],
      group === null ? null : sampleGroup(group).id,
      JSON.stringify({ hostname: `Host-${place % 2}`, service: 'shop' }),
      JSON.stringify({ ci: { id: 'ci-1', name: 'web 1' }, history: [{ at: 77 }], ...more }),
    );
  migrate(db);
  const membersOf = (...numbers: number[]) =>
    MEMBERS.filter(([, , group]) => numbers.includes(group ?? 0)).map(([status, severity, , more]) => ({
      ...{ status, severity, ...more },
    }));
  const stateOf = (number: number) => groupRow(readingOver(db), 'acme', sampleGroup(number).id)?.state;
  expect(stateOf(1)).toMatchObject({
    ...standingOfMembers(membersOf(1, 3)),
    names: {
      host: { names: ['Host-0', 'Host-1'], count: 2 },
      service: { names: ['shop'], count: 1 },
      source: { names: ['zabbix'], count: 1 },
      ci: { names: ['web 1'], count: 1 },
    },
  });
  expect(stateOf(1)).toMatchObject({ status: 'active', severity: 'major', counts: { open: 2, resolved: 1 } });
  expect(stateOf(2)).toMatchObject({ status: 'acknowledged', severity: 'warning' });
  expect(stateOf(3)).toBeUndefined();
  expect(stateOf(4)).toMatchObject({ status: 'resolved', severity: null });
  const urgent = db.prepare('SELECT id FROM grp_state WHERE status IS NOT NULL ORDER BY urgency DESC').all();
  expect(urgent.map(({ id }) => id)).toEqual([1, 2].map((n) => sampleGroup(n).id));
  db.close();
});
