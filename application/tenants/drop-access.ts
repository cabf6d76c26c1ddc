import { INCIDENT_DUE } from '#application/analysis/incident-records.ts';
import { ANALYSIS_KINDS } from '#application/analyzer/infrastructure/records.ts';
import { DISCOVERY_KINDS } from '#application/discovery/records.ts';
import { recordChunks } from '#application/records/list-records.ts';
import { SEARCH_DUE_KIND } from '#application/records/search-due.ts';
import { DELIVERY_KINDS } from '#application/webhooks/delivery/records.ts';
import { CHANGED_GROUPS } from '#application/webhooks/sources/groups.ts';
import { CHANGED_LONE } from '#application/webhooks/sources/lone-events.ts';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import { TRIAL_KINDS } from '#domain/correlation/on-demand/trial.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { REPORT_KINDS } from '#domain/reports/report.ts';

/** Documents that belong to a tenant and are stored under none: their body names it. */
const KINDS = [
  ACCESS_KINDS.credential,
  ACCESS_KINDS.session,
  DISCOVERY_KINDS.queue,
  DISCOVERY_KINDS.joined,
  DELIVERY_KINDS.due,
  DELIVERY_KINDS.overflow,
  DELIVERY_KINDS.outgoing,
  DELIVERY_KINDS.resumed,
  CHANGED_GROUPS,
  CHANGED_LONE,
  INCIDENT_DUE,
  ANALYSIS_KINDS.queue,
  TRIAL_KINDS.queue,
  SEARCH_DUE_KIND,
  REPORT_KINDS.queue,
];

interface Owned {
  readonly tenant?: string;
}

async function dropKind(records: RecordStore, tenant: string, kind: string): Promise<void> {
  for await (const chunk of recordChunks<Owned>(records, SYSTEM_TENANT, kind))
    for (const { id, body } of chunk) if (body.tenant === tenant) await records.remove(SYSTEM_TENANT, kind, id);
}

/** Removes credentials, sessions and the waiting work of discovery, analysis, search, reports and webhooks of a tenant, wherever its tokens and users are by then. */
export async function dropAccess(records: RecordStore, tenant: string): Promise<void> {
  for (const kind of KINDS) await dropKind(records, tenant, kind);
  await records.remove(SYSTEM_TENANT, DISCOVERY_KINDS.lease, tenant);
  await records.remove(SYSTEM_TENANT, ANALYSIS_KINDS.lease, tenant);
  await records.remove(SYSTEM_TENANT, TRIAL_KINDS.lease, tenant);
}
