import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Recovery } from '#domain/pipeline/processor.ts';
import { pipeline } from '#processors/pipeline.ts';
import { NOON } from '#test/contract/samples.ts';
import { furnish, tenantPurgeContract } from '#test/contract/tenant-purge.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { occurred } from '#test/setup/occurred.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openEmbedded as openAll, openCorrelationStore, openEventPorts } from './open-embedded.ts';
import { openTables } from './open-tables.ts';
import { openRecordStore } from './record-store.ts';
import { openDeliveryTable } from './records/delivery-table.ts';
import { openRecoveryTable } from './records/recovery-table.ts';
import { type Database, MEMORY } from './redo-log/database.ts';
import { openSearchIndex } from './search-index.ts';
import { openTenantPurge, tenantTables } from './tenant-purge.ts';
import { openTopology } from './topology-store.ts';

const openStores = (where: 'memory' | 'file') => {
  const { database, tables, reader, close } = openEmbedded(where);
  const topology = openTopology(database, tables, undefined, reader);
  const store = {
    tenants: openTenantPurge(database, tables, topology),
    ...openEventPorts(database, tables.events, reader),
    correlation: openCorrelationStore(database, tables.correlation, reader),
    records: openRecordStore(database, tables.records, setClock(NOON)),
    searchIndex: openSearchIndex(database, reader),
    ...topology.ports,
  };
  return { database, store, close };
};
for (const where of ['memory', 'file'] as const)
  tenantPurgeContract(`SQLite in ${where}`, async () => openStores(where));

let database: Database;
let purge: (tenant: string) => Promise<boolean>;
beforeEach(() => {
  database = memoryDatabase();
  const remembering = openTables(database);
  purge = openTenantPurge(database, remembering, openTopology(database, remembering)).purge;
});
afterEach(() => database.close());

type Column = { readonly name: string; readonly type: string };
const madeUp = ({ name, type }: Column, tenant: string, n: number) => {
  if (name === 'tenant') return tenant;
  if (type === 'INTEGER' || type === 'REAL') return n;
  return type === 'BLOB' ? new Uint8Array([n]) : `text-${n}`;
};

/** Empty rows, in a table that may belong to next year. */
const fill = (table: string, tenant: string, numbers: readonly number[]): void => {
  const columns = database.statement('SELECT name, type FROM pragma_table_info(?)').all(table) as unknown as Column[];
  const text = `INSERT INTO ${table} (${columns.map(({ name }) => name)}) VALUES (${columns.map(() => '?')})`;
  for (const n of numbers) database.write(text, ...columns.map((column) => madeUp(column, tenant, n)));
};
const countIn = (table: string, tenant: string): number =>
  Number(database.statement(`SELECT count(*) AS n FROM ${table} WHERE tenant = ?`).get(tenant)?.n);

/** Returns every table with a tenant column, found in another way than the code does. */
const tables = (): string[] =>
  database
    .statement(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'event_text%'`)
    .all()
    .filter(({ sql }) => /\btenant\b/.test(String(sql)))
    .map(({ name }) => String(name));

test('no table keeps a row of the tenant, whatever tables there are, and others keep theirs', async () => {
  database.db.exec('CREATE TABLE of_next_year (tenant TEXT NOT NULL, note TEXT NOT NULL) STRICT');
  const all = tables();
  expect(all.length).toBeGreaterThan(18);
  expect(
    tenantTables(database)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...all].sort());
  const ours = [...Array.from({ length: 1_200 }, (_, n) => n + 1), 12_345];
  for (const table of all.filter((name) => name !== 'event')) fill(table, 'acme', ours);
  for (const table of all.filter((name) => name !== 'event')) fill(table, 'other', [20_001, 20_002]);
  await purge('acme');
  expect(all.filter((table) => countIn(table, 'acme') > 0)).toEqual([]);
  for (const table of all.filter((name) => name !== 'event'))
    expect([table, countIn(table, 'other')]).toEqual([table, 2]);
});

test('tables whose rows no index tells apart are gone through', () => {
  const unindexed = tenantTables(database).filter(({ isIndexed }) => !isIndexed);
  expect(unindexed.map(({ name }) => name)).toEqual(['decision', 'surroundings']);
});

test('relationships go before the CIs that they need at a start', () => {
  const names = tenantTables(database).map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(['relationship', 'relationship_count', 'relationship_past']);
});

test('answers to deliveries and recoveries go, those of others stay', async () => {
  const [deliveries, recoveries] = [openDeliveryTable(database), openRecoveryTable(database)];
  const receipt = { ok: true, outcome: 'created', id: 'x', count: 1, correlationId: null } as const;
  for (const tenant of ['acme', 'other']) {
    deliveries.write({ tenant, id: 'd', at: NOON, position: 1, receipt });
    recoveries.write({ tenant, conditionId: 'c', at: NOON, receivedAt: NOON, position: 1 } satisfies Recovery);
  }
  await purge('acme');
  expect([deliveries.get('acme', 'd'), deliveries.get('other', 'd')?.id]).toEqual([undefined, 'd']);
  expect([countIn('recovery', 'acme'), countIn('recovery', 'other')]).toEqual([0, 1]);
});

test('texts, tallies and links of decisions go with their events, and what is searched with its documents', async () => {
  const { database: own, store, close } = openStores('memory');
  const counts = () =>
    [
      'event',
      'tally',
      'event_text',
      'search_text',
      'search_word_parts',
      'decision',
      'decision_link',
      'enriched',
      'surroundings',
    ].map((table) => Number(own.statement(`SELECT count(*) AS n FROM ${table}`).get()?.n));
  await furnish(store, 'other', 2_000);
  const before = counts();
  await furnish(store, 'acme', 1_000);
  expect(counts()).not.toEqual(before);
  await store.tenants.purge('acme');
  expect(counts()).toEqual(before);
  await close();
});

test('settings of a tenant that is made anew are read anew, though their revision is the same', async () => {
  const clock = setClock(NOON);
  const metrics = { count() {}, gauge() {}, observe() {} };
  const log = { info() {}, warn() {}, error() {} };
  const embedded = await openAll({ data: MEMORY, pipeline, clock, ids: randomIds, metrics, log });
  const sizeOf = async (maxSize: number): Promise<number | undefined> => {
    await embedded.records.put('acme', 'settings', 'correlation', { guards: { maxSize } });
    const reply = await embedded.log.request('acme', [occurred({ receivedAt: NOON })], { timeoutMs: 5_000 });
    const [receipt] = reply.done ? reply.receipts : [];
    const [enriched] = await embedded.correlation.enriched('acme', [receipt?.ok ? (receipt.id as string) : '']);
    return enriched?.settings.guards.maxSize;
  };
  expect(await sizeOf(50)).toBe(50);
  await embedded.log.request('acme', [{ ask: { kind: 'forgotten' }, receivedAt: NOON }], { timeoutMs: 5_000 });
  await embedded.tenants.purge('acme');
  expect(await sizeOf(60)).toBe(60);
  await embedded.close();
});
