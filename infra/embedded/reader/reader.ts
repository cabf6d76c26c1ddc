import type { Analysis } from '#domain/correlation/on-demand/analysis.ts';
import { analyzeInTurns } from '#infra/analyze-in-turns.ts';
import { CiDictionary } from '#infra/embedded/correlation/ci-dictionary.ts';
import { enrichedBetween } from '#infra/embedded/correlation/enriched-between.ts';
import { EnrichedTable } from '#infra/embedded/correlation/enriched-table.ts';
import type { Database } from '#infra/embedded/journal/database.ts';
import { type Analyze, unpackAnalysis } from './analysis.ts';
import { openQueries, type QueryAnswer, type QueryInput, type QueryName } from './queries.ts';
import { type PoolOptions, QueryPool } from './query-pool.ts';

/** Two, so that a slow query does not hold up all others; each has a page cache. */
const LISTS: PoolOptions = { threads: 2, maxWaiting: 64, timeoutMs: 10_000 };
/** An analysis of 50,000 events takes some ten seconds, and lists do not wait for it. */
const ANALYSES: PoolOptions = { threads: 1, maxWaiting: 16, timeoutMs: 120_000 };

/** Runs the queries that may take long, away from the thread that takes events in. */
export interface Reader {
  /** Throws Fault `unavailable` when too many wait, when it takes too long, or when the thread has died. */
  run<N extends QueryName>(name: N, query: QueryInput<N>): Promise<QueryAnswer<N>>;
  /** The same for analyses, which have a thread of their own. */
  analyze(query: Analyze): Promise<Analysis>;
  /** Queries and analyses that wait or run. */
  readonly size: number;
  close(): Promise<void>;
}

function openThreadReader(path: string, options: Partial<PoolOptions>): Reader {
  const lists = new QueryPool(path, { ...LISTS, ...options });
  const analyses = new QueryPool(path, ANALYSES);
  return {
    run: (name, query) => lists.run(name, query),
    get size() {
      return lists.size + analyses.size;
    },
    analyze: async (query) => unpackAnalysis(await analyses.run('correlation.analyze', query)),
    close: async () => {
      await Promise.all([lists.close(), analyses.close()]);
    },
  };
}

/** In memory there is one connection only, so its queries run where they are asked. */
function openMemoryReader(database: Database): Reader {
  const queries = openQueries(database);
  const records = new EnrichedTable(database, new CiDictionary(database));
  return {
    size: 0,
    run: async (name, query) => (queries[name] as (query: unknown) => QueryAnswer<typeof name>)(query),
    analyze: ({ tenant, ...range }) =>
      analyzeInTurns(range, async (wanted) => enrichedBetween(database, records, { tenant, order: 'asc', ...wanted })),
    close: async () => {},
  };
}

export const openReader = (database: Database, options: Partial<PoolOptions> = {}): Reader =>
  database.path === null ? openMemoryReader(database) : openThreadReader(database.path, options);
