import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Batch } from '#domain/pipeline/batch.ts';
import { packDecision } from '#infra/embedded/correlation/decision-row.ts';
import { openLiveChanges } from '#infra/embedded/live/live-changes.ts';
import { openTables, type Tables } from '#infra/embedded/open-tables.ts';
import { type Database, openDatabase } from '#infra/embedded/redo-log/database.ts';
import { openTopology } from '#infra/embedded/topology-store.ts';
import { openSnapshot } from '#infra/embedded/warmup/snapshot.ts';
import { NOON, sampleDecision, sampleEnriched, sampleEvent, sampleGroup, ulidOf } from '#test/contract/samples.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';
import type { BatchStore, PipelineBatch } from './batch-runner.ts';
import { openBatchStore } from './batch-store.ts';

const directory = temporaryDirectory();
let database: Database;
let tables: Tables;
let store: BatchStore;
beforeEach(() => {
  database = openDatabase(directory.path);
  tables = openTables(database);
  const { aroundNow } = openTopology(database, tables);
  const refill = () => openSnapshot(database, tables.names, Number.POSITIVE_INFINITY);
  store = openBatchStore(database, tables, aroundNow, setClock(NOON), randomIds, refill, openLiveChanges(randomIds));
});
afterEach(async () => {
  await database.endWriter();
  database.close();
  directory.remove();
});

const newBatch = (): PipelineBatch => new Batch({ sources: store, read: new Map(), pack: packDecision });

const receipt = { ok: true, outcome: 'created', id: ulidOf(1), count: 1, correlationId: null } as const;

test('the next batch reads what is in flight, everybody else what is committed', async () => {
  const group = sampleGroup(1);
  const event = { ...sampleEvent(1), correlationId: group.id };
  const delivery = { tenant: 'acme', id: 'd', receipt, position: 1, at: NOON };
  const batch = newBatch();
  batch.saveEvent(event, 'created');
  batch.saveDelivery(delivery);
  batch.saveEnriched(sampleEnriched(1));
  batch.saveDecision(sampleDecision(1));
  batch.saveGroup(group);
  const committed = store.commit(batch, 7);

  const key = { tenant: 'acme', id: event.id };
  const { events, correlation } = tables;
  expect([store.events([key]), events.getMany([key])]).toEqual([[event], []]);
  expect(store.delivery('acme', 'd')).toEqual(delivery);
  expect([store.enriched('acme', event.id, 99), correlation.enriched('acme', event.id)]).toEqual([
    sampleEnriched(1),
    undefined,
  ]);
  for (const foreign of [store.events([{ ...key, tenant: 'other' }])[0], store.enriched('other', event.id, 99)])
    expect(foreign).toBeUndefined();
  expect([store.delivery('other', 'd'), store.cursor()]).toEqual([undefined, 0]);
  // Reads all members: it waits for the writer.
  expect(store.groupOf('acme', event.id, 99, newBatch())).toEqual({
    group,
    members: [{ ...sampleEnriched(1), turns: [] }],
  });
  expect([events.getMany([key]), store.cursor()]).toEqual([[event], 7]);
  await committed;
});

test('an event that arrives again within a batch has both records, the newest first', async () => {
  const first = sampleEnriched(1);
  const again = { ...first, arrival: { ...first.arrival, position: 9, rebound: true } };
  const batch = newBatch();
  for (const record of [first, again]) batch.saveEnriched(record);
  expect(batch.enriched('acme', first.arrival.eventId, 99)).toEqual(again);
  await store.commit(batch, 9);
  await database.endWriter();
  const stored = database.arrays('SELECT position FROM enriched ORDER BY position').all();
  expect(stored).toEqual([[first.arrival.position], [9]]);
});
