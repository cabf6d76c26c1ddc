import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import { completed } from '#domain/correlation/resolve-settings.ts';
import type { EventKey } from '#domain/ports/processor.ts';
import type { Write } from './bulk.ts';
import { type Place, readMany } from './documents.ts';
import { documentId, type Names } from './names.ts';
import type { Store } from './store.ts';

export interface EnrichedDocument {
  readonly enriched: Enriched;
}
export interface DecisionDocument {
  readonly decision: Decision;
  /** The arrival and every partner. */
  readonly events: readonly string[];
}
export interface GroupDocument {
  readonly group: Group;
}

const weekly = (names: Names, family: 'enriched' | 'decisions', eventId: string): string => {
  const index = names.weekly(family, eventId);
  if (index === null) throw new Error(`The id of an event must be a ULID, not ${eventId}`);
  return index;
};

/** An event has at most two records, so that both are found by its id: of its arrival, and of the last CI it was bound to. */
const KINDS = ['arrival', 'bound'] as const;

/** Create-only by position: a record of the same position, or of a later binding, stays. */
export function enrichedWrite(names: Names, enriched: Enriched): Write {
  const { tenant, eventId, position, rebound } = enriched.arrival;
  return {
    family: 'enriched',
    index: weekly(names, 'enriched', eventId),
    id: documentId(tenant, eventId, rebound ? 'bound' : 'arrival'),
    ...{ key: { tenant, id: eventId }, fence: 'gt', version: position, body: { enriched }, creates: true },
  };
}

export function decisionWrite(names: Names, decision: Decision): Write {
  const { tenant, eventId, position, accepted, refused } = decision;
  const events = [...new Set([eventId, ...accepted.map(({ other }) => other), ...refused.map(({ other }) => other)])];
  return {
    family: 'decisions',
    index: weekly(names, 'decisions', eventId),
    id: documentId(tenant, String(position)),
    ...{ key: { tenant, id: eventId }, fence: 'none', version: position, body: { decision, events }, creates: true },
  };
}

export const groupPlace = (names: Names, tenant: string, id: string): Place => ({
  index: names.single('groups'),
  id: documentId(tenant, id),
});

export function groupWrite(names: Names, group: Group): Write {
  const { tenant, id, position } = group;
  const place = groupPlace(names, tenant, id);
  return {
    ...place,
    family: 'groups',
    key: { tenant, id },
    fence: 'gte',
    version: position,
    body: { group },
    creates: true,
  };
}

export const recordIn = ({ enriched }: EnrichedDocument): Enriched => ({
  ...enriched,
  settings: completed(enriched.settings),
});

/** All records of each event that has any, by position, in the order of the keys; `source`: only these parts of them. */
export async function readEnriched(
  { connection, names }: Store,
  keys: readonly EventKey[],
  source = ['enriched'],
): Promise<Enriched[][]> {
  const places = keys.flatMap(({ tenant, id }) => {
    const index = names.weekly('enriched', id);
    return index === null ? [] : KINDS.map((kind) => ({ index, id: documentId(tenant, id, kind) }));
  });
  const documents = await readMany<EnrichedDocument>(connection, places, source);
  const found: Enriched[][] = [];
  for (let i = 0; i < documents.length; i += KINDS.length) {
    const both = documents.slice(i, i + KINDS.length).filter((document) => document !== undefined);
    if (both.length > 0) found.push(both.map(recordIn).sort((a, b) => a.arrival.position - b.arrival.position));
  }
  return found;
}

/** The newest record of each event that has one. */
export const readNewest = async (store: Store, keys: readonly EventKey[]): Promise<Enriched[]> =>
  (await readEnriched(store, keys)).map((records) => records.at(-1)!);
