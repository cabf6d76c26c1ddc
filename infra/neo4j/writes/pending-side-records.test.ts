import { expect, test } from '@jest/globals';
import type { SideRecord } from '#domain/side-record.ts';
import type { Neo4jClient, Run } from '#infra/neo4j/client/client.ts';
import { enqueueSideRecords, flushSideRecords, flushSideRecordsOf } from './pending-side-records.ts';

const entry = (id: string): SideRecord => ({ tenant: 'acme', kind: 'audit', id, body: { id }, expiresAt: 9 });

/** Nodes of the topology store, and records in their own store. */
const open = () => {
  const nodes = new Map<string, { tenant: string; id: string; record: string }>();
  const records = new Map<string, unknown>();
  const down = { records: false, topology: false };
  const run = (async (statement: string, values: { tenant: string; ids: string[]; rows: never[] }) => {
    if (down.topology) throw new Error('the topology store is down');
    if (statement.includes('CREATE'))
      for (const row of values.rows as { id: string; record: string }[])
        nodes.set(row.id, { tenant: values.tenant, ...row });
    else if (statement.includes('DELETE')) for (const id of values.ids) nodes.delete(id);
    else return [...nodes.values()].slice(0, Number(/LIMIT (\d+)/.exec(statement)?.[1]));
    return [];
  }) as unknown as Run;
  const client = { read: run, write: (work: (run: Run) => Promise<unknown>) => work(run) } as unknown as Neo4jClient;
  const keep = async (sideRecords: readonly SideRecord[]): Promise<void> => {
    if (down.records) throw new Error('the store of records is down');
    for (const one of sideRecords) if (!records.has(one.id)) records.set(one.id, one);
  };
  return { nodes, records, down, run, client, keep };
};

test('a process that dies after the change leaves an entry, and another one moves it', async () => {
  const { nodes, records, run, client, keep } = open();
  await enqueueSideRecords(run, 'acme', [entry('1'), entry('2')]);
  expect([nodes.size, records.size]).toEqual([2, 0]);
  await flushSideRecords(client, keep);
  expect([nodes.size, [...records.values()]]).toEqual([0, [entry('1'), entry('2')]]);
});

test('a process that dies between putting the entry and forgetting it leaves one entry', async () => {
  const { nodes, records, down, run, client, keep } = open();
  await enqueueSideRecords(run, 'acme', [entry('1')]);
  const dying = async (sideRecords: readonly SideRecord[]) => {
    await keep(sideRecords);
    down.topology = true;
  };
  await expect(flushSideRecordsOf(client, dying, 'acme', [entry('1')])).rejects.toThrow('down');
  down.topology = false;
  expect([nodes.size, records.size]).toEqual([1, 1]);
  await flushSideRecords(client, keep);
  await flushSideRecords(client, keep);
  expect([nodes.size, records.size]).toEqual([0, 1]);
});

test('what cannot be moved stays, and thousands are moved in parts', async () => {
  const { nodes, records, down, run, client, keep } = open();
  const many = Array.from({ length: 1_200 }, (_, n) => entry(String(n)));
  await enqueueSideRecords(run, 'acme', many);
  down.records = true;
  await expect(flushSideRecords(client, keep)).rejects.toThrow('down');
  expect(nodes.size).toBe(1_200);
  down.records = false;
  await flushSideRecords(client, keep);
  expect([nodes.size, records.size]).toEqual([0, 1_200]);
});
