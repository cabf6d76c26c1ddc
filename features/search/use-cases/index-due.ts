import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import { LEASE_MS } from '#application/records/leases.ts';
import { SEARCH_DUE_KIND, type SearchDue } from '#application/records/search-due.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SearchDocument, SearchKind, SearchRef } from '#domain/search/document.ts';
import { slices } from '#domain/slices.ts';
import { MOST_KEPT } from '#features/reports/use-cases/report-records.ts';
import { boundDocuments } from './bound-documents.ts';
import { documentsOfCis } from './documents-of-cis.ts';
import {
  documentsOfIncidents,
  documentsOfInsights,
  documentsOfReports,
  documentsOfServices,
} from './documents-of-records.ts';
import { putDocuments } from './put-documents.ts';

/** Records read at once: an import makes one for 1,000 CIs. */
const PAGE = 10;
/** Documents made at once. */
const AT_ONCE = 200;
const LEASE = { kind: 'search-lease', id: 'due' };

type Make = (ports: Ports, tenant: string, ids: readonly string[]) => Promise<SearchDocument[]>;
/** Kinds whose vectors are left alone; complaints come with their events. */
const MAKE: Readonly<Partial<Record<SearchKind, Make>>> = {
  ci: documentsOfCis,
  service: documentsOfServices,
  incident: documentsOfIncidents,
  insight: documentsOfInsights,
  report: documentsOfReports,
};

/** Documents of a tenant; the oldest go first. CIs and services have bounds of their own. */
const MOST: Readonly<Partial<Record<SearchKind, number>>> = {
  incident: 20_000,
  insight: 20_000,
  report: MOST_KEPT,
};

/** Makes the documents anew; what is gone is removed. */
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

/** Brings the index up to what changes have left word of. One process at a time does it, so that no older state is written last. */
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
