import { type Lived, type PlacedTransition, transitionsOf } from '#domain/correlation/status-transitions.ts';
import type { EventKey } from '#domain/pipeline/processor.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { readMany } from '#infra/elasticsearch/documents/documents.ts';
import { eventPlace } from '#infra/elasticsearch/documents/event-document.ts';

const SOURCE = ['tenant', 'id', 'title', 'category', 'tags', 'hostname', 'history'].map((name) => `event.${name}`);

/** Ends and returns by event id, as the events were last saved. */
export async function readTransitions(
  { connection, names }: Store,
  keys: readonly EventKey[],
): Promise<Map<string, readonly PlacedTransition[]>> {
  const places = keys.map(({ tenant, id }) => eventPlace(names, tenant, id)).filter((place) => place !== null);
  const documents = await readMany<{ readonly event: Lived }>(connection, places, SOURCE);
  return new Map(
    documents.flatMap((document) => (document ? [[document.event.id, transitionsOf(document.event)]] : [])),
  );
}
