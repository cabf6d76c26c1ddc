import type { Analysis } from '#domain/correlation/on-demand/analysis.ts';
import { analyzeInTurns } from '#infra/analyze-in-turns.ts';
import { CiDictionary } from '#infra/embedded/correlation/ci-dictionary.ts';
import { enrichedBetween } from '#infra/embedded/correlation/enriched-between.ts';
import { EnrichedTable } from '#infra/embedded/correlation/enriched-table.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { type Analyze, unpackAnalysis } from './analysis.ts';
import type { QueryOrigin, Share } from './fair-queue.ts';
import { openQueries, type QueryAnswer, type QueryInput, type QueryName } from './queries.ts';
import { type PoolOptions, QueryPool } from './query-pool.ts';

/**
 * Limits for four threads: a tenant occupies at most two with its requests, all requests three, and jobs and sinks two,
 * so each always gets one soon.
 */
const LISTS: PoolOptions = {
  threads: 4,
  timeoutMs: 10_000,
  origin: () => 'background',
  shares: {
    request: { running: 3, runningOfTenant: 2, maxOfTenant: 256, max: 1_024 },
    background: { running: 2, runningOfTenant: 1, maxOfTenant: 64, max: 512 },
  },
};
const ONE_AT_A_TIME: Share = { running: 1, runningOfTenant: 1, maxOfTenant: 4, max: 16 };
/** An analysis of 50,000 events needs some ten seconds, and lists do not wait for it. */
const ANALYSES: PoolOptions = {
  threads: 1,
  timeoutMs: 120_000,
  origin: () => 'request',
  shares: { request: ONE_AT_A_TIME, background: ONE_AT_A_TIME },
};

/** Runs slow queries away from the thread that accepts events. */
export interface Reader {
  /** Throws Fault `unavailable` when too many wait, on a timeout, or when the thread has died. */
  run<N extends QueryName>(name: N, query: QueryInput<N>): Promise<QueryAnswer<N>>;
  /** The same for analyses, which have a thread of their own. */
  analyze(query: Analyze): Promise<Analysis>;
  /** Queries and analyses that wait or run. */
  size(origin: QueryOrigin): number;
  close(): Promise<void>;
}

function openThreadReader(path: string, options: Partial<PoolOptions>): Reader {
  const lists = new QueryPool(path, { ...LISTS, ...options });
  const analyses = new QueryPool(path, ANALYSES);
  return {
    run: (name, query) => lists.run(name, query),
    size: (origin) => lists.size(origin) + analyses.size(origin),
    analyze: async (query) => unpackAnalysis(await analyses.run('correlation.analyze', query)),
    close: async () => {
      await Promise.all([lists.close(), analyses.close()]);
    },
  };
}

/** A database in memory has one connection only, so its queries run in the caller. */
function openMemoryReader(database: Database): Reader {
  const queries = openQueries(database);
  const records = new EnrichedTable(database, new CiDictionary(database));
  return {
    size: () => 0,
    run: async (name, query) => (queries[name] as (query: unknown) => QueryAnswer<typeof name>)(query),
    analyze: ({ tenant, ...range }) =>
      analyzeInTurns(range, async (wanted) => enrichedBetween(database, records, { tenant, order: 'asc', ...wanted })),
    close: async () => {},
  };
}

export const openReader = (database: Database, options: Partial<PoolOptions> = {}): Reader =>
  database.path === null ? openMemoryReader(database) : openThreadReader(database.path, options);
