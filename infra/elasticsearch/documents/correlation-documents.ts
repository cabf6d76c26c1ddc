import { firstItem, lastItem } from '#domain/assert.ts';
import { isAboutSplits } from '#domain/correlation/grouping/apply.ts';
import type { Arrival, Decision, Enriched, Group } from '#domain/correlation/records.ts';
import { completed } from '#domain/correlation/settings/tenant-settings.ts';
import type { EventKey } from '#domain/pipeline/processor.ts';
import { slices } from '#domain/slices.ts';
import type { DocumentWrite } from '#infra/elasticsearch/cluster/bulk.ts';
import { documentId, type Names } from '#infra/elasticsearch/cluster/names.ts';
import { terms } from '#infra/elasticsearch/cluster/query.ts';
import { scan } from '#infra/elasticsearch/cluster/scan.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { type DocumentAddress, readMany } from './documents.ts';

/** Entry among the events of every decision with splits. */
export const SPLITS = 'splits';

export interface EnrichedDocument {
  readonly enriched: Enriched;
}
export interface DecisionDocument {
  readonly decision: Decision;
  /** Ids of the arrival, every partner, all split events, and `SPLITS` for a decision with splits. */
  readonly events: readonly string[];
}
export interface GroupDocument {
  readonly group: Group;
}

const weekly = (names: Names, family: 'enriched' | 'rearrivals' | 'decisions', eventId: string): string => {
  const index = names.weekly(family, eventId);
  if (index === null) throw new Error(`The id of an event must be a ULID, not ${eventId}`);
  return index;
};

/** Most queries go by the id of the event: the record of its arrival, and that of its last second arrival. */
const KINDS = ['arrival', 'bound'] as const;

/** Create-only by position: a record of the same position, or of a later arrival, stays. */
function enrichedWrite(names: Names, enriched: Enriched): DocumentWrite {
  const { tenant, eventId, position, rebound } = enriched.arrival;
  return {
    family: 'enriched',
    index: weekly(names, 'enriched', eventId),
    id: documentId(tenant, eventId, rebound ? 'bound' : 'arrival'),
    key: { tenant, id: eventId },
    fence: 'gt',
    version: position,
    body: { enriched },
    creates: true,
  };
}

/** Every second arrival is also stored by its position: a start may need the state before the last one. */
function rearrivalWrite(names: Names, enriched: Enriched): DocumentWrite {
  const { tenant, eventId, position } = enriched.arrival;
  return {
    family: 'rearrivals',
    index: weekly(names, 'rearrivals', eventId),
    id: documentId(tenant, eventId, String(position)),
    key: { tenant, id: eventId },
    fence: 'none',
    version: position,
    body: { enriched },
    creates: true,
  };
}

export const enrichedWrites = (names: Names, enriched: Enriched): DocumentWrite[] =>
  enriched.arrival.rebound
    ? [enrichedWrite(names, enriched), rearrivalWrite(names, enriched)]
    : [enrichedWrite(names, enriched)];

export function decisionWrite(names: Names, decision: Decision): DocumentWrite {
  const { tenant, eventId, position, accepted, refused, apart } = decision;
  const partners = [...accepted.map(({ other }) => other), ...refused.map(({ other }) => other)];
  const named = [eventId, ...partners, ...(apart?.left ?? []), ...(apart?.stayed ?? [])];
  const events = [...new Set(named), ...(isAboutSplits(decision) ? [SPLITS] : [])];
  return {
    family: 'decisions',
    index: weekly(names, 'decisions', eventId),
    id: documentId(tenant, String(position)),
    key: { tenant, id: eventId },
    fence: 'none',
    version: position,
    body: { decision, events },
    creates: true,
  };
}

export const groupPlace = (names: Names, tenant: string, id: string): DocumentAddress => ({
  index: names.single('groups'),
  id: documentId(tenant, id),
});

export function groupWrite(names: Names, group: Group): DocumentWrite {
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
  for (const some of slices(documents, KINDS.length)) {
    const both = some.filter((document) => document !== undefined);
    if (both.length > 0) found.push(both.map(recordIn).sort((a, b) => a.arrival.position - b.arrival.position));
  }
  return found;
}

/** Events asked after at once. */
const AT_ONCE = 1_000;

/** All second arrivals of the events, by event id and position. */
async function readRearrivals(
  { connection, names, indices }: Store,
  tenantOf: ReadonlyMap<string, string>,
  source = ['enriched'],
): Promise<Map<string, Enriched[]>> {
  const found = new Map<string, Enriched[]>();
  if (tenantOf.size === 0) return found;
  await indices.fresh('rearrivals');
  const ids = [...tenantOf.keys()];
  for (const some of slices(ids, AT_ONCE)) {
    const query = terms('enriched.arrival.eventId', some);
    const asked = { index: names.every('rearrivals'), query, sort: 'enriched.arrival.position', source };
    for await (const page of scan<EnrichedDocument>(connection, asked))
      for (const record of page.map(recordIn)) {
        const { tenant, eventId } = record.arrival;
        if (tenantOf.get(eventId) === tenant) found.set(eventId, [...(found.get(eventId) ?? []), record]);
      }
  }
  return found;
}

/** Adds the records between the first and the last where `isWanted` returns that they may matter, by position. */
export async function withRearrivals(
  store: Store,
  all: readonly Enriched[][],
  isWanted: (last: Arrival) => boolean,
  source?: string[],
): Promise<Enriched[][]> {
  const wanted = new Map<string, string>();
  for (const records of all) {
    const { arrival } = lastItem(records);
    if (arrival.rebound && isWanted(arrival)) wanted.set(arrival.eventId, arrival.tenant);
  }
  const between = await readRearrivals(store, wanted, source);
  return all.map((records) => {
    const known = new Set(records.map(({ arrival }) => arrival.position));
    const more =
      between.get(firstItem(records).arrival.eventId)?.filter(({ arrival }) => !known.has(arrival.position)) ?? [];
    return more.length === 0 ? records : [...records, ...more].sort((a, b) => a.arrival.position - b.arrival.position);
  });
}

/** The newest record, up to `through`, of each event that has one. */
export const readNewest = async (
  store: Store,
  keys: readonly EventKey[],
  through = Number.POSITIVE_INFINITY,
): Promise<Enriched[]> =>
  (await readEnriched(store, keys)).flatMap(
    (records) => records.findLast(({ arrival }) => arrival.position <= through) ?? [],
  );
