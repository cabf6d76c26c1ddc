import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import { membersOf } from '#application/events/group-membership.ts';
import { incidentAnalysis } from '#application/events/incident-records.ts';
import { LEASE_MS } from '#application/records/leases.ts';
import { SEARCH_DUE_KIND, type SearchDue } from '#application/records/search-due.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SearchDocument, SearchKind, SearchRef } from '#domain/search/document.ts';
import { SERVICE_KINDS, type Service } from '#domain/services/service.ts';
import { slices } from '#domain/slices.ts';
import { newestInsight } from '#features/insights/use-cases/insight-records.ts';
import { findReport, MAX_KEPT } from '#features/reports/use-cases/report-records.ts';
import { incidentDocument, MEMBERS_TOLD } from '#features/search/rules/incident-document.ts';
import { insightDocument } from '#features/search/rules/insight-document.ts';
import { reportDocument } from '#features/search/rules/report-document.ts';
import { serviceDocument } from '#features/search/rules/service-document.ts';
import { boundDocuments } from './bound-documents.ts';
import { documentsOfCis } from './documents-of-cis.ts';
import { putDocuments } from './put-documents.ts';

/** Components whose names go into the text. */
const MAX_NAMES = 50;

/** Returns the documents of existing services. */
async function documentsOfServices(
  { records, topology }: Ports,
  tenant: string,
  ids: readonly string[],
): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const id of ids) {
    const service = (await records.get<Service>(tenant, SERVICE_KINDS.service, id))?.body;
    if (service === undefined) continue;
    const parts = service.components.slice(0, MAX_NAMES).map(({ ciId }) => ciId);
    const cis = await topology.getCis(tenant, parts);
    documents.push(
      serviceDocument(
        service,
        cis.map(({ name }) => name),
      ),
    );
  }
  return documents;
}

/** The newest insights of the CIs that have one. */
async function documentsOfInsights(
  { records, topology }: Ports,
  tenant: string,
  ciIds: readonly string[],
): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const { id, name } of await topology.getCis(tenant, ciIds)) {
    const insight = await newestInsight(records, tenant, id);
    if (insight !== null) documents.push(insightDocument(insight, name));
  }
  return documents;
}

/** Returns the documents of existing reports. */
async function documentsOfReports(
  { records }: Ports,
  tenant: string,
  ids: readonly string[],
): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const id of ids) {
    const stored = await findReport(records, tenant, id);
    if (stored !== null) documents.push(reportDocument(stored.body));
  }
  return documents;
}

/** Returns the documents of existing groups; a merged group has none. */
async function documentsOfIncidents(ports: Ports, tenant: string, ids: readonly string[]): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const id of ids) {
    const group = await ports.correlation.group(tenant, id);
    if (group === null || group.id !== id) continue;
    const members = await membersOf(ports, tenant, group, MEMBERS_TOLD);
    const cause = group.candidate?.eventId ?? group.foundedBy;
    const isMissing = !members.some((member) => member.id === cause);
    const told = isMissing ? [...(await ports.events.getMany(tenant, [cause])), ...members] : members;
    const analysed = await incidentAnalysis(ports, tenant, id);
    if (told.length > 0) documents.push(incidentDocument(group, told, analysed?.analysis.rootCauseHypothesis ?? null));
  }
  return documents;
}

/** Records read at once: an import makes one for 1,000 CIs. */
const PAGE = 50;
/** Documents made at once. */
const AT_ONCE = 200;
const LEASE = { kind: 'search-lease', id: 'due' };

type Make = (ports: Ports, tenant: string, ids: readonly string[]) => Promise<SearchDocument[]>;
/** Kinds with unchanged vectors; complaints are indexed with their events. */
const MAKE: Readonly<Partial<Record<SearchKind, Make>>> = {
  ci: documentsOfCis,
  service: documentsOfServices,
  incident: documentsOfIncidents,
  insight: documentsOfInsights,
  report: documentsOfReports,
};

/** Documents of a tenant; the oldest go first. CIs and services have bounds of their own. */
const MOST: Readonly<Partial<Record<SearchKind, number>>> = { incident: 20_000, insight: 20_000, report: MAX_KEPT };

/** Builds the documents again; deleted items are removed. */
export async function indexKind(ports: Ports, tenant: string, kind: SearchKind, all: readonly string[]): Promise<void> {
  const make = MAKE[kind];
  if (make === undefined) return;
  for (const ids of slices(all, AT_ONCE)) {
    const documents = await make(ports, tenant, ids);
    const made = new Set(documents.map(({ id }) => id));
    await putDocuments(ports, tenant, documents);
    const gone = ids.filter((id) => !made.has(id)).map((id): SearchRef => ({ kind, id }));
    await ports.searchIndex.remove(tenant, gone);
  }
  const most = MOST[kind];
  if (most !== undefined) await boundDocuments(ports, tenant, { kind, most, put: all });
}

async function indexTenant(ports: Ports, tenant: string, refs: readonly SearchRef[]): Promise<void> {
  if (await isBeingDeleted(ports.records, tenant)) return;
  for (const [kind, own] of Map.groupBy(refs, (ref) => ref.kind))
    await indexKind(ports, tenant, kind, [...new Set(own.map(({ id }) => id))]);
}

/** A record goes last: a process that dies leaves it to be found. */
async function settle(ports: Ports, page: readonly StoredRecord<SearchDue>[]): Promise<void> {
  for (const [tenant, records] of Map.groupBy(page, ({ body }) => body.tenant)) {
    const refs = records.flatMap(({ body }) => body.refs);
    await indexTenant(ports, tenant, refs);
    await Promise.all(records.map(({ id }) => ports.records.remove(SYSTEM_TENANT, SEARCH_DUE_KIND, id)));
  }
}

/** Updates the index from the recorded changes. One process at a time does it, so that an older state never overwrites a newer one. */
export async function indexDue(ports: Ports, isStopping: () => boolean): Promise<void> {
  const due = () => ports.records.list<SearchDue>(SYSTEM_TENANT, SEARCH_DUE_KIND, { limit: PAGE });
  let page = await due();
  if (page.length === 0) return;
  const lease = await ports.leases.take(LEASE, ports.ids.ulid(), LEASE_MS);
  if (lease === null) return;
  try {
    for (; page.length > 0 && !isStopping(); page = await due()) {
      await settle(ports, page);
      if (!(await lease.renew())) return;
    }
  } finally {
    await lease.release();
  }
}
