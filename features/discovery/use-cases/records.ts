import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { Network } from '#features/discovery/rules/network.ts';
import { isUnclaimed, type Provenance, type StandingCi } from '#features/discovery/rules/provenance.ts';
import type { GivenHost, HostOutcome, Scan } from '#features/discovery/rules/scan.ts';

/** The bell of the tasks. */
export const DISCOVER = 'discovery';

/** Documents about discovery; `(system)` marks those stored under SYSTEM_TENANT. */
export const DISCOVERY_KINDS = {
  scan: 'scan',
  /** Hosts as given in, by scan and number of the chunk. */
  chunk: 'scan-chunk',
  /** Their results; a chunk that has one is done. */
  outcome: 'scan-outcome',
  /** (system) Merges of CIs after which events have still to be moved. */
  merge: 'ci-merge',
  /** (system) CIs that have got relationships, until their open events have arrived again. */
  joined: 'ci-joined',
  /** Scans by Idempotency-Key. */
  key: 'scan-key',
  /** Records by CI. */
  provenance: 'provenance',
  network: 'ci-network',
  /** Reviews by the keys of the machine: its identity, if scans are ambiguous. */
  review: 'discovery-review',
} as const;

const DAY = 86_400_000;
/** Scans with all they hold. */
export const SCANS_KEPT_MS = 30 * DAY;
/** Knowledge about a CI lives as long as scanners go on seeing it. */
export const CI_RECORDS_KEPT_MS = 400 * DAY;

export interface HostChunk {
  /** Place of its first host in the scan. */
  readonly first: number;
  readonly hosts: readonly GivenHost[];
}
export interface ChunkOutcome {
  readonly hosts: readonly HostOutcome[];
}

/** The last change of a CI by a scan: a chunk repeated after a crash answers the same. */
export interface LastChange {
  readonly scan: string;
  readonly index: number;
  readonly action: 'created' | 'updated';
}
export interface ProvenanceRecord {
  readonly attributes: Provenance;
  readonly last: LastChange | null;
  /** The change of the CI that the claims are about to make, and the claims before it; null when none was left to make. */
  readonly change: { readonly revision: number; readonly by: string; readonly before: Provenance } | null;
}
export type NetworkRecord = Network;

/** False when a crash or a concurrent change prevented the change of the CI. */
const isMade = (change: NonNullable<ProvenanceRecord['change']>, ci: Ci): boolean =>
  ci.revision > change.revision || (ci.revision === change.revision && ci.updatedBy === change.by);

/** The claims that the CI stands by. */
export function standingClaims(record: ProvenanceRecord | null, ci: Ci): Provenance {
  if (record === null) return {};
  const { change, attributes } = record;
  return change === null || isMade(change, ci) ? attributes : change.before;
}

/** Changes of a CI that are asked who wrote what. */
const CHANGES = 50;

/** Returns the CI with its claims by source. */
export async function standingOf({ records, history }: Pick<Ports, 'records' | 'history'>, ci: Ci) {
  const { tenant, id } = ci;
  const stored = (await records.get<ProvenanceRecord>(tenant, DISCOVERY_KINDS.provenance, id))?.body ?? null;
  const claims = standingClaims(stored, ci);
  const changes = isUnclaimed({ ci, claims }) ? (await history.changes(tenant, id, { limit: CHANGES })).items : [];
  const standing: StandingCi = { ci, claims, changes };
  return { stored, standing };
}

/** Sorts as the scan does. */
export const chunkId = (scan: string, chunk: number): string => `${scan}/${String(chunk).padStart(6, '0')}`;

export const findScan = (records: RecordStore, tenant: string, id: string): Promise<StoredRecord<Scan> | null> =>
  records.get<Scan>(tenant, DISCOVERY_KINDS.scan, id);

export const readScan = async (records: RecordStore, tenant: string, id: string): Promise<Scan | null> =>
  (await findScan(records, tenant, id))?.body ?? null;

export const saveScan = async (
  { records, live }: Pick<Ports, 'records' | 'live'>,
  tenant: string,
  scan: Scan,
  sideRecords: readonly SideRecord[] = [],
): Promise<void> => {
  const expiresAt = scan.submittedAt + SCANS_KEPT_MS;
  await records.put(tenant, DISCOVERY_KINDS.scan, scan.id, scan, { expiresAt, sideRecords });
  live.recordChanged(tenant, 'scan', scan.id);
};
