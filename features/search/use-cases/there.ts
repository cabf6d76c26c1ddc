import type { UseCaseContext } from '#application/access/context.ts';
import { eventIdOf } from '#domain/event/event.ts';
import type { SearchDocument, SearchKind } from '#domain/search/document.ts';
import { SERVICE_KINDS } from '#domain/services/service.ts';
import { hrefOf } from '#features/ai/rules/pack.ts';
import { newestInsight } from '#features/insights/use-cases/insight-records.ts';
import { findReport, maySee } from '#features/reports/use-cases/report-records.ts';
import { eventsOfComplaint } from '#features/search/rules/complaint-document.ts';

/** Events of a complaint that are looked up and told, the newest. */
const EVENTS = 5;

/** Where a document leads to. */
export interface DocumentPlace {
  readonly href: string;
  /** Of a complaint the newest events that are still there, as they are shown. */
  readonly events?: readonly string[];
}
/** By id; those that are gone are left out. */
type Places = ReadonlyMap<string, DocumentPlace>;
type Asking = Pick<UseCaseContext, 'ports' | 'tenant' | 'caller'>;
type FindPlaces = (asking: Asking, documents: readonly SearchDocument[]) => Promise<Places>;

const each =
  (isThere: (asking: Asking, id: string) => Promise<boolean>, href: (id: string) => string): FindPlaces =>
  async (asking, documents) => {
    const asked = documents.map(async ({ id }) =>
      (await isThere(asking, id)) ? [[id, { href: href(id) }] as const] : [],
    );
    return new Map((await Promise.all(asked)).flat());
  };

const complaints: FindPlaces = async ({ ports: { events }, tenant }, documents) => {
  const newest = (document: SearchDocument) => eventsOfComplaint(document).slice(0, EVENTS);
  const there = new Set((await events.getMany(tenant, [...new Set(documents.flatMap(newest))])).map(({ id }) => id));
  return new Map(
    documents.flatMap((document) => {
      const ids = newest(document)
        .filter((id) => there.has(id))
        .map(eventIdOf);
      return ids[0] === undefined ? [] : [[document.id, { href: hrefOf('event', ids[0]), events: ids }] as const];
    }),
  );
};

const cis: FindPlaces = async ({ ports: { topology }, tenant }, documents) => {
  const found = await topology.getCis(
    tenant,
    documents.map(({ id }) => id),
  );
  return new Map(found.map(({ id }) => [id, { href: hrefOf('ci', id) }]));
};

const PLACES: Readonly<Record<SearchKind, FindPlaces>> = {
  complaint: complaints,
  ci: cis,
  incident: each(
    async ({ ports: { correlation }, tenant }, id) => (await correlation.group(tenant, id))?.id === id,
    (id) => hrefOf('group', id),
  ),
  service: each(
    async ({ ports: { records }, tenant }, id) => (await records.get(tenant, SERVICE_KINDS.service, id)) !== null,
    (id) => hrefOf('service', id),
  ),
  insight: each(
    async ({ ports: { records, topology }, tenant }, ciId) =>
      (await newestInsight(records, tenant, ciId)) !== null && (await topology.getCis(tenant, [ciId])).length > 0,
    (ciId) => `/api/cmdb-ai/insights/${ciId}`,
  ),
  report: each(
    async ({ ports: { records }, tenant, caller }, id) => {
      const stored = await findReport(records, tenant, id);
      return stored !== null && maySee(stored.body, caller);
    },
    (id) => `/api/reports/${id}/status`,
  ),
};

/** Where each of the documents leads to; null for what is gone, or a report that the caller may not see. */
export async function placesOf(
  asking: Asking,
  documents: readonly SearchDocument[],
): Promise<(DocumentPlace | null)[]> {
  const byKind = Map.groupBy(documents, ({ kind }) => kind);
  const found = new Map<SearchKind, Places>();
  for (const [kind, own] of byKind) found.set(kind, await PLACES[kind](asking, own));
  return documents.map(({ kind, id }) => found.get(kind)?.get(id) ?? null);
}
