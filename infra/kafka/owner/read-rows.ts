import { type SettingsOverrides, settingsWith } from '#domain/correlation/settings/tenant-settings.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import type { Reads } from '#domain/pipeline/processor.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { GraphQueries } from '#domain/ports/topology/graph-queries.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import { inParallel } from '#infra/wait.ts';
import { aroundKey, type ReadRows } from './step-batch.ts';

export interface RowSources {
  readonly store: Pick<PipelineStore, 'load'>;
  readonly graph: Pick<GraphQueries, 'around'>;
  readonly records: Pick<RecordStore, 'get'>;
  /** Cached topology of the tenant may be out of date. Absent: nothing is cached. */
  recheckTopology?(tenant: string): void;
}

/** Neighborhoods requested at once: the store combines concurrent reads. */
const AT_ONCE = 256;

const readAround = async (graph: RowSources['graph'], wanted: NonNullable<Reads['around']>) => {
  const found = new Map<string, ArrivalTopology>();
  const left = new Map(wanted.map((one) => [aroundKey(one.tenant, one.ciId, one.at), one]));
  await inParallel(Math.min(AT_ONCE, left.size), left.entries(), async ([key, { tenant, ciId, at }]) => {
    const around = await graph.around(tenant, ciId, at);
    if (around !== null) found.set(key, around);
  });
  return found;
};

const readSettings = async (records: RowSources['records'], tenants: readonly string[]) => {
  const read = async (tenant: string): Promise<[string, CorrelationSettings]> => {
    const stored = await records.get<SettingsOverrides>(tenant, 'settings', 'correlation');
    return [tenant, settingsWith(stored?.body ?? null)];
  };
  return new Map(await Promise.all(tenants.map(read)));
};

/** Reads all that a batch has named, each store once and all at the same time. */
export const readRows = async (sources: RowSources, reads: Reads): Promise<ReadRows> => {
  const { store, graph, records } = sources;
  for (const tenant of reads.freshTopology ?? []) sources.recheckTopology?.(tenant);
  const [loaded, around, settings] = await Promise.all([
    store.load(reads),
    readAround(graph, reads.around ?? []),
    readSettings(records, reads.settings ?? []),
  ]);
  return { ...loaded, around, settings };
};
