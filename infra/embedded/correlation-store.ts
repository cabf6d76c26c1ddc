import { setImmediate } from 'node:timers/promises';
import type { CorrelationStore } from '#domain/ports/correlation-store.ts';
import { packDecision } from './correlation/decision-row.ts';
import type { CorrelationTable } from './correlation/table.ts';
import type { Database } from './journal/database.ts';
import type { Reader } from './reader/reader.ts';

/** Points are read here, lists in the reader thread. */
export function openCorrelationStore(database: Database, table: CorrelationTable, reader: Reader): CorrelationStore {
  return {
    save: ({ enriched = [], decisions = [], groups = [] }) =>
      database.exclusive(() =>
        database.transaction(() => {
          for (const record of enriched) table.writeEnriched(record);
          for (const decision of decisions) table.writeDecision(packDecision(decision));
          for (const group of groups) table.writeGroup(group);
        }),
      ),
    group: async (tenant, idOrAlias) => table.group(tenant, idOrAlias) ?? null,
    groups: (tenant, filter, page) => reader.run('groups.find', { tenant, filter, page }),
    async decisionsOf(tenant, eventIds, limit) {
      // A caller that wants hundreds of events reads them in several queries; requests run in between.
      await setImmediate();
      return table.decisionsOf(tenant, eventIds, limit);
    },
    enriched: async (tenant, eventIds) =>
      eventIds.map((id) => table.enriched(tenant, id)).filter((record) => record !== undefined),
    enrichedBetween: (tenant, from, to, options) => reader.run('enriched.between', { tenant, from, to, ...options }),
    analyze: (tenant, range) => reader.analyze({ tenant, ...range }),
  };
}
