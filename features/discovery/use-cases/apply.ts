import { type Asker, auditedAs } from '#application/access/audit.ts';
import { ciEntry } from '#application/cmdb/change-entries.ts';
import { searchDue } from '#application/records/search-due.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { sameJson } from '#domain/same-json.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { NO_NETWORK, sameNames, withSeen } from '#features/discovery/rules/network.ts';
import type { Provenance } from '#features/discovery/rules/provenance.ts';
import type { HostSighting, Reconciled } from '#features/discovery/rules/reconcile.ts';
import {
  CI_RECORDS_KEPT_MS,
  DISCOVERY_KINDS,
  type LastChange,
  type NetworkRecord,
  type ProvenanceRecord,
} from './records.ts';

/** One machine, what it means for its CI, and what was there before. */
export interface PlannedCi {
  readonly sighting: HostSighting;
  /** False for a CI that only lost its address to the machine. */
  readonly isSeen: boolean;
  readonly result: Reconciled;
  readonly before: Ci | null;
  /** Claims in force, and their stored record. */
  readonly known: Provenance;
  readonly stored: ProvenanceRecord | null;
  /** Position of the host in the scan. */
  readonly place: Omit<LastChange, 'action'>;
  readonly asker: Asker;
}

const kept = (ports: Ports) => ({ expiresAt: ports.clock.now() + CI_RECORDS_KEPT_MS });

async function saveProvenance(ports: Ports, tenant: string, planned: PlannedCi): Promise<void> {
  const { result, known, place, stored } = planned;
  const { action, ci, provenance } = result;
  if (action === 'unchanged' && provenance === stored?.attributes) return;
  const record: ProvenanceRecord =
    action === 'unchanged'
      ? { attributes: provenance, last: stored?.last ?? null, change: null }
      : {
          attributes: provenance,
          last: { ...place, action },
          change: { revision: ci.revision, by: ci.updatedBy, before: known },
        };
  await ports.records.put(tenant, DISCOVERY_KINDS.provenance, ci.id, record, kept(ports));
}

async function saveNetwork(ports: Ports, tenant: string, { result, sighting }: PlannedCi): Promise<void> {
  const { host, scanner, seenAt } = sighting;
  if (host.connections === undefined && host.listeners === undefined) return;
  const { id } = result.ci;
  const stored = await ports.records.get<NetworkRecord>(tenant, DISCOVERY_KINDS.network, id);
  const before = stored?.body ?? NO_NETWORK;
  const after = withSeen(before, host, { scanner, seenAt });
  if (sameJson(before, after)) return;
  const sideRecords = sameNames(before, after) ? [] : [searchDue(ports, tenant, [{ kind: 'ci', id }])];
  await ports.records.put(tenant, DISCOVERY_KINDS.network, id, after, { ...kept(ports), sideRecords });
}

/**
 * Saves claims before the CI: after a crash in between the CI still counts as its last writer left it (`standingClaims`). Throws Fault
 * `conflict` or `precondition` after a concurrent change; then no CI is saved.
 */
export async function apply(ports: Ports, tenant: string, planned: readonly PlannedCi[]): Promise<void> {
  await Promise.all(planned.map((one) => saveProvenance(ports, tenant, one)));
  const changed = planned.filter(({ result }) => result.action !== 'unchanged');
  const cis = changed.map(({ result }) => result.ci);
  const sideRecords = changed.map(({ before, result, asker }) =>
    auditedAs(ports, tenant, asker, ciEntry(before, result.ci)),
  );
  if (cis.length > 0) await ports.cis.put(tenant, cis, sideRecords);
  const seen = planned.filter(({ isSeen }) => isSeen);
  await ports.cis.seen(
    tenant,
    seen.map(({ result, sighting }) => ({ ci: result.ci.id, at: sighting.seenAt })),
  );
  await Promise.all(seen.map((one) => saveNetwork(ports, tenant, one)));
}
