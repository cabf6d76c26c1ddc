import { Batch } from '#domain/pipeline/batch.ts';
import type { EventKey } from '#domain/pipeline/processor.ts';
import { packDecision } from '#infra/embedded/correlation/decision-row.ts';
import { openLiveChanges } from '#infra/embedded/live/live-changes.ts';
import type { PipelineBatch } from '#infra/embedded/runner/batch-runner.ts';
import { openBatchStore } from '#infra/embedded/runner/batch-store.ts';
import { openTopology } from '#infra/embedded/topology-store.ts';
import { openSnapshot } from '#infra/embedded/warmup/snapshot.ts';
import { closedGroupsContract } from '#test/contract/closed-groups.ts';
import { NOON } from '#test/contract/samples.ts';
import { allInPieces } from '#test/setup/all-of.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';

for (const where of ['memory', 'file'] as const)
  closedGroupsContract(`SQLite in ${where}`, async () => {
    const { database, tables, close } = openEmbedded(where);
    const refill = () => openSnapshot(database, tables.names, Number.POSITIVE_INFINITY);
    const { aroundNow } = openTopology(database, tables);
    const live = openLiveChanges(randomIds);
    const store = openBatchStore(database, tables, aroundNow, setClock(NOON), randomIds, refill, live);
    const batchOf = (keys: readonly EventKey[]): PipelineBatch =>
      new Batch({
        sources: store,
        read: new Map(store.events(keys).map((event) => [event.id, event])),
        pack: packDecision,
      });
    return {
      store: {
        async save({ events, groups, decisions }) {
          const batch = batchOf([]);
          for (const event of events) batch.saveEvent(event, 'created');
          for (const group of groups) batch.saveGroup(group);
          for (const decision of decisions) batch.saveDecision(decision);
          await store.commit(batch, 1);
          database.waitApplied();
        },
        async homes(keys) {
          const batch = batchOf(keys);
          const found = keys.map(({ tenant, id }) => [id, store.home(tenant, id, batch)] as const);
          return new Map(found.filter((one): one is readonly [string, string] => one[1] !== null));
        },
        lasting: (decided) => allInPieces(refill().lasting(decided)),
      },
      close,
    };
  });
