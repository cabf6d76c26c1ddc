import { afterEach, expect, test } from '@jest/globals';
import { pipeline } from '#processors/pipeline.ts';
import { occurred } from '#test/setup/occurred.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { type Embedded, openEmbedded } from './open-embedded.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-20T10:00:00Z');
let embedded: Embedded | undefined;
afterEach(() => embedded?.close());

const open = async () => {
  const clock = setClock(NOW);
  const metrics = { count() {}, gauge() {}, observe() {} };
  const log = { info() {}, warn() {}, error() {} };
  embedded = await openEmbedded({ data: ':memory:', pipeline, clock, ids: randomIds, metrics, log });
  return { clock, embedded };
};

test('what is older than the retention is resolved and deleted with all that was kept of it; the rest stays', async () => {
  const { clock, embedded } = await open();
  const tell = async (title: string, at: number) => {
    const reply = await embedded.log.request('t', [occurred({ title, timestamp: at, receivedAt: clock.now() })], {
      timeoutMs: 5_000,
    });
    const [receipt] = reply.done ? reply.receipts : [];
    return receipt?.ok ? (receipt.id as string) : '';
  };
  clock.set(NOW - 40 * DAY);
  const old = [await tell('Link down', NOW - 40 * DAY), await tell('Database unreachable', NOW - 40 * DAY + 20_000)];
  clock.set(NOW);
  const young = await tell('Disk full', NOW - 10 * DAY);
  expect((await embedded.events.get('t', old[0] as string))?.correlationId).toMatch(/^COR-/);

  expect(await embedded.retention.purge(NOW - 30 * DAY)).toBe(2);

  for (const id of old) {
    expect(await embedded.events.get('t', id)).toBeNull();
    expect(await embedded.correlation.enriched('t', [id])).toEqual([]);
    expect(await embedded.correlation.decisionsOf('t', [id], 10)).toEqual([]);
  }
  expect(await embedded.events.get('t', young)).toMatchObject({ status: 'open' });
  const page = { sort: 'timestamp', order: 'desc', limit: 10 } as const;
  expect(await embedded.events.find('t', {}, page)).toMatchObject({ total: 1 });
  expect(await embedded.events.find('t', { search: 'link' }, page)).toMatchObject({ total: 0 });
  // The open problem is not open any more: the next one is a new event.
  expect(await tell('Link down', NOW)).not.toBe(old[0]);
});

test('what says that it is old but came lately stays: a clock without battery, and events of last month', async () => {
  const { clock, embedded } = await open();
  const received = clock.now();
  const said = { 'Trap received': 10_000, 'Backup failed': NOW - 40 * DAY };
  for (const [title, timestamp] of Object.entries(said))
    await embedded.log.request('t', [occurred({ title, timestamp, receivedAt: received })], { timeoutMs: 5_000 });
  expect(await embedded.retention.purge(NOW - 30 * DAY)).toBe(0);
  clock.set(NOW + 31 * DAY);
  expect(await embedded.retention.purge(NOW + DAY)).toBe(2);
});

test('a group stays as long as an event names it, however long ago the last of them joined it', async () => {
  const { clock, embedded } = await open();
  const told = { timestamp: NOW - 100 * DAY, ongoing: true as const };
  const tell = (title: string, host: string) =>
    embedded.log.request('t', [occurred({ ...told, title, hostname: host, receivedAt: clock.now() })], {
      timeoutMs: 5_000,
    });
  for (const host of ['a', 'b']) await tell('Link down', host);
  const page = { sort: 'last', order: 'desc', limit: 10 } as const;
  const groups = async () => (await embedded.groupRows.find('t', {}, page)).items.map(({ group }) => group);
  const [group] = await groups();
  expect(group).toMatchObject({ size: 2, last: NOW - 100 * DAY });
  await embedded.records.put('t', 'group-care', group!.id, { assignedTeam: { id: 't1', name: 'Storage' } });
  expect(await embedded.retention.purge(NOW - 90 * DAY)).toBe(0);
  expect(await groups()).toEqual([group]);
  expect((await embedded.groupRows.get('t', group!.id))?.care.assignedTeam?.name).toBe('Storage');
  clock.set(NOW + 91 * DAY);
  expect(await embedded.retention.purge(NOW + DAY)).toBe(2);
  expect(await groups()).toEqual([]);
  expect(await embedded.correlation.group('t', group!.id)).toBeNull();
});
