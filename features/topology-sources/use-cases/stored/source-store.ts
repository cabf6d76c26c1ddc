import { everyRecord } from '#application/records/list-records.ts';
import { Fault, notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type RecordStore, type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { SOURCE_RECORDS } from '#features/topology-sources/rules/record-kinds.ts';
import {
  MAX_SOURCES,
  NEW_STATE,
  type TopologySource,
  type TopologySourceState,
} from '#features/topology-sources/rules/source.ts';

/** A source with the state of its runs. */
export interface WatchedSource {
  readonly source: TopologySource;
  readonly state: TopologySourceState;
}

export const findSource = (
  records: RecordStore,
  tenant: string,
  name: string,
): Promise<StoredRecord<TopologySource> | null> => records.get<TopologySource>(tenant, SOURCE_RECORDS.source, name);

/** Throws Fault `not-found`. */
export const requireSource = async (
  records: RecordStore,
  tenant: string,
  name: string,
): Promise<StoredRecord<TopologySource>> => {
  const stored = await findSource(records, tenant, name);
  if (stored === null) throw notFound('Source', name);
  return stored;
};

export const allSources = async (records: RecordStore, tenant: string): Promise<TopologySource[]> =>
  everyRecord<TopologySource>(records, tenant, SOURCE_RECORDS.source);

/** Throws Fault `conflict` beyond the limit of the tenant, or if the source changed in the meantime. */
export const putSource = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  source: TopologySource,
  {
    before,
    sideRecords,
  }: { readonly before: StoredRecord<TopologySource> | null; readonly sideRecords: readonly SideRecord[] },
): Promise<void> => {
  if (before === null && (await allSources(records, tenant)).length >= MAX_SOURCES)
    throw new Fault('conflict', `Limit reached: ${MAX_SOURCES} sources per tenant`);
  await records.put(tenant, SOURCE_RECORDS.source, source.name, source, {
    expected: before?.revision ?? 0,
    sideRecords,
  });
};

export const stateOf = async (records: RecordStore, tenant: string, name: string): Promise<TopologySourceState> => ({
  ...NEW_STATE,
  ...(await records.get<TopologySourceState>(tenant, SOURCE_RECORDS.state, name))?.body,
});
export const putState = async (
  records: RecordStore,
  tenant: string,
  name: string,
  state: TopologySourceState,
): Promise<void> => {
  await records.put(tenant, SOURCE_RECORDS.state, name, state);
};

export interface DueSource {
  readonly tenant: string;
  readonly name: string;
  /** ms. */
  readonly at: number;
}
const dueId = (tenant: string, name: string): string => `${tenant}/${name}`;

/** Schedules the next run; null: none. */
export const setDue = async (records: RecordStore, tenant: string, name: string, at: number | null): Promise<void> => {
  if (at === null) await records.remove(SYSTEM_TENANT, SOURCE_RECORDS.due, dueId(tenant, name));
  else {
    const body: DueSource = { tenant, name, at };
    await records.put(SYSTEM_TENANT, SOURCE_RECORDS.due, dueId(tenant, name), body);
  }
};

/** Reads the record itself, since lists may be a second old. */
export const isDueNow = async (records: RecordStore, tenant: string, name: string, now: number): Promise<boolean> => {
  const due = await records.get<DueSource>(SYSTEM_TENANT, SOURCE_RECORDS.due, dueId(tenant, name));
  return due !== null && due.body.at <= now;
};

export const dueSources = async (records: RecordStore, now: number): Promise<DueSource[]> =>
  (await everyRecord<DueSource>(records, SYSTEM_TENANT, SOURCE_RECORDS.due)).filter(({ at }) => at <= now);
