/** Records that go along with a change are nodes of its transaction until they are where they belong. */
import type { SideRecord } from '#domain/side-record.ts';
import type { Neo4jClient, Run } from '#infra/neo4j/client/client.ts';
import { parsed } from '#infra/neo4j/client/read.ts';
import { inBatches } from '#infra/neo4j/client/write.ts';

/** Puts records where they belong; one that is there already stays. */
export type StoreSideRecords = (sideRecords: readonly SideRecord[]) => Promise<void>;

const ENQUEUE = 'UNWIND $rows AS row CREATE (:Owed {tenant: $tenant, id: row.id, record: row.record})';
const PENDING = (most: number): string =>
  `MATCH (o:Owed) WHERE o.tenant IS NOT NULL RETURN o.tenant AS tenant, o.record AS record ORDER BY o.id LIMIT ${most}`;
const FORGET = 'UNWIND $ids AS id MATCH (o:Owed {tenant: $tenant, id: id}) DELETE o';

/** Records moved per turn of the sweep, and turns of one call. */
const CHUNK = 500;
const TURNS = 100;

/** Part of the transaction of the change. */
export const enqueueSideRecords = (run: Run, tenant: string, sideRecords: readonly SideRecord[]): Promise<void> =>
  inBatches(
    sideRecords.map((one) => ({ id: one.id, record: JSON.stringify(one) })),
    (rows) => run(ENQUEUE, { tenant, rows }),
  );

/** Moves records of changes that are made. `tenant`: that of the topology. */
export async function flushSideRecordsOf(
  { write }: Neo4jClient,
  keep: StoreSideRecords,
  tenant: string,
  sideRecords: readonly SideRecord[],
): Promise<void> {
  if (sideRecords.length === 0) return;
  await keep(sideRecords);
  await write((run) => run(FORGET, { tenant, ids: sideRecords.map(({ id }) => id) }));
}

/** Moves side records left here by a process that was killed, or did not reach the other store. */
export async function flushSideRecords(client: Neo4jClient, keep: StoreSideRecords): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    const rows = await client.read<{ tenant: string; record: string }>(PENDING(CHUNK));
    for (const [tenant, owed] of Map.groupBy(rows, (row) => row.tenant))
      await flushSideRecordsOf(
        client,
        keep,
        tenant,
        owed.map(({ record }) => parsed<SideRecord>(record)),
      );
    if (rows.length < CHUNK) return;
  }
}
