import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { sameJson } from '#domain/same-json.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { problemDocument, problemIdOf } from '#features/search/rules/problem-document.ts';
import { boundDocuments } from './bound-documents.ts';
import { putDocuments } from './put-documents.ts';

/** Complaints of a tenant, the newest; older ones are no longer found. */
const MAX_COMPLAINTS = 20_000;

const bare = ({ concepts: _, keywords: __, ...document }: SearchDocument) => document;

/** Documents that the events change; `added`: ids of complaints that were not there. */
async function changedBy(
  { searchIndex }: Pick<Ports, 'searchIndex' | 'memory'>,
  tenant: string,
  events: readonly Event[],
) {
  const byProblem = Map.groupBy(events, problemIdOf);
  const refs = [...byProblem.keys()].map((id) => ({ kind: 'complaint', id }) as const);
  const known = new Map((await searchIndex.get(tenant, refs)).map((document) => [document.id, document]));
  const changed = [...byProblem].map(([id, own]) => problemDocument(id, known.get(id) ?? null, own));
  return {
    documents: changed.filter((document) => {
      const before = known.get(document.id);
      return before === undefined || !sameJson(bare(before), document);
    }),
    added: changed.filter(({ id }) => !known.has(id)).map(({ id }) => id),
  };
}

/** Makes events fit to be searched: one document per complaint, whatever number of events it has. It is durable when it resolves. */
export const indexEvents = async (
  ports: Pick<Ports, 'searchIndex' | 'memory'>,
  tenant: string,
  events: readonly Event[],
) => {
  if (events.length === 0) return;
  const { documents, added } = await changedBy(ports, tenant, events);
  await putDocuments(ports, tenant, documents);
  await boundDocuments(ports, tenant, { kind: 'complaint', most: MAX_COMPLAINTS, put: added });
};
