import { newestInsight } from '#application/insights/insight-records.ts';
import { hrefOf } from '#domain/ai/pack.ts';
import { eventIdOf } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { eventsOfComplaint } from '#domain/search/complaint-document.ts';
import type { SearchDocument, SearchKind } from '#domain/search/document.ts';
import { SERVICE_KINDS } from '#domain/services/service.ts';

/** Events of a complaint that are looked up and told, the newest. */
const EVENTS = 5;

/** Where a document leads to. */
export interface Place {
  readonly href: string;
  /** Of a complaint the newest events that are still there, as they are shown. */
  readonly events?: readonly string[];
}
/** By id; those that are gone are left out. */
type Places = ReadonlyMap<string, Place>;
type FindPlaces = (ports: Ports, tenant: string, documents: readonly SearchDocument[]) => Promise<Places>;

const each =
  (isThere: (ports: Ports, tenant: string, id: string) => Promise<boolean>, href: (id: string) => string): FindPlaces =>
  async (ports, tenant, documents) => {
    const asked = documents.map(async ({ id }) =>
      (await isThere(ports, tenant, id)) ? [[id, { href: href(id) }] as const] : [],
    );
    return new Map((await Promise.all(asked)).flat());
  };

const complaints: FindPlaces = async ({ events }, tenant, documents) => {
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

const cis: FindPlaces = async ({ topology }, tenant, documents) => {
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
    async ({ correlation }, tenant, id) => (await correlation.group(tenant, id))?.id === id,
    (id) => hrefOf('group', id),
  ),
  service: each(
    async ({ records }, tenant, id) => (await records.get(tenant, SERVICE_KINDS.service, id)) !== null,
    (id) => hrefOf('service', id),
  ),
  insight: each(
    async ({ records, topology }, tenant, ciId) =>
      (await newestInsight(records, tenant, ciId)) !== null && (await topology.getCis(tenant, [ciId])).length > 0,
    (ciId) => `/api/cmdb-ai/insights/${ciId}`,
  ),
  report: async () => new Map(),
};

/** Where each of the documents leads to; null for what is gone, read within the tenant. */
export async function placesOf(
  ports: Ports,
  tenant: string,
  documents: readonly SearchDocument[],
): Promise<(Place | null)[]> {
  const byKind = Map.groupBy(documents, ({ kind }) => kind);
  const found = new Map<SearchKind, Places>();
  for (const [kind, own] of byKind) found.set(kind, await PLACES[kind](ports, tenant, own));
  return documents.map(({ kind, id }) => found.get(kind)?.get(id) ?? null);
}
