import type { Decision } from '#domain/correlation/records.ts';
import type { CorrelationStore } from '#domain/ports/correlation-store.ts';
import { analyzeInTurns } from '../analyze-in-turns.ts';
import { all, term, terms } from './cluster/query.ts';
import { search } from './cluster/search.ts';
import type { Store } from './cluster/store.ts';
import {
  type DecisionDocument,
  decisionWrite,
  enrichedWrites,
  groupWrite,
  readNewest,
} from './documents/correlation-documents.ts';
import { enrichedBetween } from './queries/enriched-between.ts';
import { findGroups, standingGroup } from './queries/group-lookup.ts';

/** Whole documents: to cut parts out of them costs Elasticsearch more than to send all. */
async function decisionsOf({ connection, names }: Store, tenant: string, eventIds: readonly string[], limit: number) {
  const { documents } = await search<DecisionDocument>(connection, {
    index: names.every('decisions'),
    size: limit,
    sort: [{ 'decision.position': 'asc' }],
    query: all(term('decision.tenant', tenant), terms('events', eventIds)),
  });
  return documents.map(({ decision }): Decision => decision);
}

/** Groups and records are read as they were last saved; lists see what this process has saved, and others' saves within a refresh. */
export function openCorrelationStore(store: Store): CorrelationStore {
  const { names, indices, bulk } = store;
  return {
    async save({ enriched = [], decisions = [], groups = [] }) {
      await bulk.write([
        ...enriched.flatMap((record) => enrichedWrites(names, record)),
        ...decisions.map((decision) => decisionWrite(names, decision)),
        ...groups.map((group) => groupWrite(names, group)),
      ]);
    },
    group: (tenant, idOrAlias) => standingGroup(store, tenant, idOrAlias),
    async groups(tenant, filter, page) {
      await indices.fresh('groups');
      return findGroups(store, tenant, filter, page);
    },
    async decisionsOf(tenant, eventIds, limit) {
      await indices.fresh('decisions');
      return decisionsOf(store, tenant, eventIds, limit);
    },
    enriched: (tenant, eventIds) =>
      readNewest(
        store,
        eventIds.map((id) => ({ tenant, id })),
      ),
    async enrichedBetween(tenant, from, to, options) {
      await indices.fresh('enriched');
      return enrichedBetween(store, { tenant, from, to, ...options });
    },
    async analyze(tenant, range) {
      await indices.fresh('enriched');
      return analyzeInTurns(range, (wanted) => enrichedBetween(store, { tenant, order: 'asc', ...wanted }));
    },
  };
}
