import { recordChunks } from '#application/records/list-records.ts';
import { SEARCH_DUE_KIND } from '#application/records/search-due.ts';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import { TRIAL_KINDS } from '#domain/correlation/on-demand/trial.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { INCIDENT_DUE } from '#features/analysis/use-cases/incident-records.ts';
import { ANALYSIS_KINDS } from '#features/analyzer/use-cases/infrastructure/records.ts';
import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import { REPORT_KINDS } from '#features/reports/rules/report.ts';
import { DELIVERY_KINDS } from '#features/webhooks/use-cases/delivery/records.ts';
import { CHANGED_GROUPS } from '#features/webhooks/use-cases/sources/groups.ts';
import { CHANGED_LONE } from '#features/webhooks/use-cases/sources/lone-events.ts';

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
