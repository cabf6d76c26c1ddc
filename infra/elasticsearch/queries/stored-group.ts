import type { Facts } from '#domain/correlation/grouping/groups.ts';
import type { Group } from '#domain/correlation/records.ts';
import { NO_TRANSITIONS } from '#domain/correlation/status-transitions.ts';
import type { EnrichedKey, EventKey, StoredGroup } from '#domain/pipeline/processor.ts';
import { slices } from '#domain/slices.ts';
import { all, any, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import { scan } from '#infra/elasticsearch/cluster/scan.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { type DecisionDocument, readNewest, SPLITS } from '#infra/elasticsearch/documents/correlation-documents.ts';
import { readTransitions } from './event-transitions.ts';
import { standingGroup } from './group-lookup.ts';

/** Maximum of members read to reopen a closed group; manual groups may be larger than the size guard allows. */
const MEMBERS = 10_000;

/**
 * Returns the members by the decisions that joined them: written before the group, so complete when the events are not
 * yet updated.
 */
async function memberIds({ connection, names }: Store, { tenant, id, aliases }: Group): Promise<string[]> {
  const query = all(term('decision.tenant', tenant), terms('decision.groupId', [id, ...aliases]));
  const ids = new Set<string>();
  const asked = { index: names.every('decisions'), query, sort: 'decision.position', source: ['decision.joined'] };
  for await (const page of scan<DecisionDocument>(connection, asked))
    for (const { decision } of page) for (const member of decision.joined) ids.add(member);
  return [...ids].slice(0, MEMBERS);
}

/** Events asked after at once. */
const AT_ONCE = 1_000;

/**
 * Returns the group of each event by event id. Includes decisions of this process, and those of others before they were
 * restored from.
 */
export async function readJoined(store: Store, keys: readonly EventKey[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (keys.length === 0) return found;
  await store.indices.fresh('decisions');
  const wanted = new Set(keys.map(({ tenant, id }) => `${tenant}/${id}`));
  const source = ['decision.tenant', 'decision.groupId', 'decision.joined', 'decision.apart.left'];
  for (const chunk of slices(keys, AT_ONCE)) {
    const ids = chunk.map(({ id }) => id);
    const query = all(
      terms('decision.tenant', [...new Set(chunk.map(({ tenant }) => tenant))]),
      any(terms('decision.joined', ids), all(terms('events', ids), term('events', SPLITS))),
    );
    const asked = { index: store.names.every('decisions'), query, sort: 'decision.position', source };
    for await (const page of scan<DecisionDocument>(store.connection, asked))
      for (const { decision } of page) {
        for (const id of decision.apart?.left ?? []) if (wanted.has(`${decision.tenant}/${id}`)) found.delete(id);
        for (const id of decision.joined)
          if (decision.groupId !== null && wanted.has(`${decision.tenant}/${id}`)) found.set(id, decision.groupId);
      }
  }
  return found;
}

/** The groups that the events are in now, closed ones too, with the enriched records of all members as of `through`; by event id. */
export async function readGroupsOf(store: Store, keys: readonly EnrichedKey[]): Promise<Map<string, StoredGroup>> {
  const found = new Map<string, StoredGroup>();
  const joined = await readJoined(store, keys);
  const read = new Map<string, StoredGroup | null>();
  for (const { tenant, id, through = Number.POSITIVE_INFINITY } of keys) {
    const groupId = joined.get(id);
    if (groupId === undefined) continue;
    const key = `${tenant}/${groupId}/${through}`;
    if (!read.has(key)) read.set(key, await readGroup(store, tenant, groupId, through));
    const group = read.get(key);
    if (group) found.set(id, group);
  }
  return found;
}

async function readGroup(
  store: Store,
  tenant: string,
  correlationId: string,
  through: number,
): Promise<StoredGroup | null> {
  const group = await standingGroup(store, tenant, correlationId);
  if (group === null) return null;
  const keys = (await memberIds(store, group)).map((id) => ({ tenant, id }));
  // One that returned later may have become a member of another group.
  const joined = await readJoined(store, keys);
  const names = new Set([group.id, ...group.aliases]);
  const own = keys.filter(({ id }) => names.has(joined.get(id) ?? ''));
  const turns = await readTransitions(store, own);
  const members = (await readNewest(store, own, through)).map(
    (record): Facts => ({ ...record, turns: turns.get(record.arrival.eventId) ?? NO_TRANSITIONS }),
  );
  const byTime = members.sort(({ arrival: a }, { arrival: b }) => a.time - b.time || (a.eventId < b.eventId ? -1 : 1));
  return { group, members: byTime };
}
