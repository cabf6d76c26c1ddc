import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { DEAD_LETTER_KIND, type DeadLetter } from '#domain/ports/operations.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { Connection } from '#infra/elasticsearch/cluster/connection.ts';
import { documentId, type Family, Names } from '#infra/elasticsearch/cluster/names.ts';
import { all, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import { scan } from '#infra/elasticsearch/cluster/scan.ts';
import type { DocumentQuery } from '#infra/elasticsearch/cluster/search.ts';
import type {
  DecisionDocument,
  EnrichedDocument,
  GroupDocument,
} from '#infra/elasticsearch/documents/correlation-documents.ts';
import type { EventDocument } from '#infra/elasticsearch/documents/event-document.ts';
import type { RecordDocument } from '#infra/elasticsearch/documents/record-document.ts';

/** A dead letter as the API returns it. */
export interface StoredDeadLetter {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly processor: string;
  readonly reason: string;
  readonly value: string;
}

const letterOf = ({ content, ...letter }: DeadLetter): StoredDeadLetter => ({
  ...letter,
  value: content.kind === 'json' ? '' : content.base64,
});

/** Everything that is stored of some tenants. */
export interface Stored {
  readonly events: readonly Event[];
  readonly enriched: readonly Enriched[];
  readonly decisions: readonly Decision[];
  readonly groups: readonly Group[];
  readonly letters: readonly StoredDeadLetter[];
}

/** Counts the positions of this log. */
export const readEpoch = async (node: string): Promise<number> => {
  const connection = new Connection({ node });
  const found = await connection.ask((client) =>
    client.get<RecordDocument>({
      index: new Names('faultline').single('records'),
      id: documentId(SYSTEM_TENANT, 'pipeline', 'epoch'),
    }),
  );
  await connection.close();
  return (found._source!.body as { epoch: number }).epoch;
};

/** The last second arrival of an event is in both families. */
const byPosition = (documents: readonly EnrichedDocument[]): Enriched[] => {
  const keyOf = ({ arrival }: Enriched): string => `${arrival.tenant}/${arrival.position}`;
  const records = new Map(documents.map(({ enriched }) => [keyOf(enriched), enriched]));
  return [...records.values()].sort((a, b) => a.arrival.position - b.arrival.position);
};

export const readStored = async (node: string, tenants: readonly string[]): Promise<Stored> => {
  const connection = new Connection({ node });
  const names = new Names('faultline');
  await connection.ask((client) => client.indices.refresh({ index: `${names.prefix}-*` }));
  const rows = async <T>(family: Family, query: DocumentQuery, sort: string): Promise<T[]> => {
    const found: T[] = [];
    for await (const page of scan<T>(connection, { index: names.every(family), query, sort })) found.push(...page);
    return found;
  };
  const of = <T>(family: Family, row: string, sort: string): Promise<T[]> =>
    rows<T>(family, terms(`${row}.tenant`, tenants), `${row}.${sort}`);
  const letters = all(term('kind', DEAD_LETTER_KIND), terms('tenant', tenants));
  const stored = {
    events: (await of<EventDocument>('events', 'event', 'position')).map(({ event }) => event),
    enriched: byPosition([
      ...(await of<EnrichedDocument>('enriched', 'enriched.arrival', 'position')),
      ...(await of<EnrichedDocument>('rearrivals', 'enriched.arrival', 'position')),
    ]),
    decisions: (await of<DecisionDocument>('decisions', 'decision', 'position')).map(({ decision }) => decision),
    groups: (await of<GroupDocument>('groups', 'group', 'position')).map(({ group }) => group),
    letters: (await rows<RecordDocument>('records', letters, 'expiresAt')).map(({ body }) =>
      letterOf(body as DeadLetter),
    ),
  };
  await connection.close();
  return stored;
};
