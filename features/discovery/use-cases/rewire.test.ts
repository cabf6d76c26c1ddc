import { afterEach, expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { aCi, aRelationship } from '#test/contract/topology-samples.ts';
import { NOW, TENANT } from '#test/setup/event-world.ts';
import { runnerOf } from '#test/setup/tasks.ts';
import { openBindingWorld } from './binding-world-for-tests.ts';
import { discoveryTasks, rewireDue, rewireLeft } from './discovery-tasks.ts';
import { joinedRecord } from './joined.ts';
import { rebindDue } from './rebind.ts';
import { LEFT_AFTER_MS } from './rebinder.ts';
import { DISCOVERY_KINDS } from './records.ts';
import { watchedTopology } from './watched-topology.ts';

const working = () => false;

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** A database and an application, each with an event, that nothing joins yet. */
async function openFault() {
  const world = await openBindingWorld();
  opened.push(world);
  const { clock, idle, ports, rebinder } = world;
  const topology = watchedTopology(ports, rebinder, ports);
  await topology.cis.put(TENANT, [aCi('db-1'), aCi('app-1')]);
  const titles = ['Replication behaves oddly', 'Checkout is strange'];
  const ids = await world.told(
    ...['db-1', 'app-1'].map((hostname, n) => ({ hostname, title: titles[n]!, timestamp: NOW - (1 - n) * 720_000 })),
  );
  await rebindDue(ports, rebinder, working);
  const related = aRelationship('r', 'app-1', 'db-1', { attributes: { criticality: 'critical' } });
  return {
    clock,
    ports,
    rebinder,
    related,
    topology,
    /** As by a process that dies right after. */
    join: () => ports.relationships.put(TENANT, [related], [joinedRecord(ports, TENANT, ['app-1', 'db-1'])]),
    async groups() {
      await idle();
      const events = await ports.events.getMany(TENANT, ids);
      return new Set(events.map(({ correlationId }) => correlationId));
    },
    left: async () => (await ports.records.list(SYSTEM_TENANT, DISCOVERY_KINDS.joined, { limit: 9 })).length,
  };
}

const ONE_GROUP = new Set([expect.any(String)]);
const NONE = new Set([null]);

test('a relationship brings events together, and nothing of it is left to do', async () => {
  const { ports, rebinder, related, topology, groups, left } = await openFault();
  expect(await groups()).toEqual(NONE);
  await topology.relationships.put(TENANT, [related]);
  expect(await left()).toBe(1);
  await rewireDue(ports, rebinder, working);
  expect([await groups(), await left()]).toEqual([ONE_GROUP, 0]);
  await topology.relationships.put(TENANT, [{ ...related, revision: 2 }]);
  expect([rebinder.takeJoined(), await left()]).toEqual([null, 0]);
});

test('what a process that died has joined is found by another, once', async () => {
  const { clock, ports, join, groups, left } = await openFault();
  await join();
  const told: number[] = [];
  const log = {
    ...ports.eventLog,
    append(...[tenant, records]: Parameters<typeof ports.eventLog.append>) {
      told.push(records.length);
      return ports.eventLog.append(tenant, records);
    },
  };
  const look = () => rewireLeft({ ...ports, eventLog: log }, working);
  await look();
  expect([told, await left()]).toEqual([[], 1]);
  clock.advance(LEFT_AFTER_MS);
  await Promise.all([look(), look()]);
  expect([told, await left(), await groups()]).toEqual([[2], 0, ONE_GROUP]);
});

test('after a start the background looks for it by itself', async () => {
  const { clock, ports, join, groups, left } = await openFault();
  await join();
  clock.advance(LEFT_AFTER_MS);
  const failed: unknown[] = [];
  const background = runnerOf(discoveryTasks, ports, { failed: (error) => failed.push(error) });
  await background.tick();
  await background.stop();
  expect([failed, await left(), await groups()]).toEqual([[], 0, ONE_GROUP]);
});

test('a tick throws the first of its errors, after everything had its turn', async () => {
  const { ports } = await openFault();
  const failed: unknown[] = [];
  const down = new Fault('unavailable', 'down');
  const records = { ...ports.records, list: () => Promise.reject(down) };
  const background = runnerOf(discoveryTasks, { ...ports, records }, { failed: (error) => failed.push(error) });
  await expect(background.tick()).rejects.toMatchObject({ message: expect.stringContaining('retrying'), cause: down });
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.every((error) => error === down)).toBe(true);
  await background.stop();
});

test('what fails is done a minute later', async () => {
  const { clock, ports, rebinder, related, topology, groups, left } = await openFault();
  await topology.relationships.put(TENANT, [related]);
  const append = () => Promise.reject(new Fault('unavailable', 'down'));
  const down = { ...ports, eventLog: { ...ports.eventLog, append } };
  await expect(rewireDue(down, rebinder, working)).rejects.toMatchObject({ kind: 'unavailable' });
  clock.advance(LEFT_AFTER_MS);
  await expect(rewireLeft(down, working)).rejects.toMatchObject({ kind: 'unavailable' });
  await rewireLeft(ports, working);
  expect([await left(), await groups()]).toEqual([1, NONE]);
  clock.advance(LEFT_AFTER_MS);
  await rewireLeft(ports, working);
  expect([await left(), await groups()]).toEqual([0, ONE_GROUP]);
});

test('of a tenant that is being deleted it is only forgotten', async () => {
  const { clock, ports, join, groups, left } = await openFault();
  await join();
  await ports.records.put(SYSTEM_TENANT, 'tenant', TENANT, { id: TENANT, disabled: true, state: 'deleting' });
  clock.advance(LEFT_AFTER_MS);
  await rewireLeft(ports, working);
  expect([await left(), await groups()]).toEqual([0, NONE]);
});
