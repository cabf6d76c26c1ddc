import type { RestoreOptions } from '#domain/ports/pipeline-store.ts';
import type { OpenEvent, Restorable } from '#domain/ports/processor.ts';
import type { DecisionDocument, EnrichedDocument, GroupDocument } from './correlation-documents.ts';
import type { EventDocument } from './event-document.ts';
import type { Family } from './names.ts';
import type { RecoveryDocument } from './pipeline-documents.ts';
import { all, any, EVERYTHING, not, range, term, terms } from './query.ts';
import { RestoredFacts } from './restored-facts.ts';
import { scan } from './scan.ts';
import type { Query } from './search.ts';
import type { Store } from './store.ts';
import { newestByTenant, sinceQuery } from './tenants.ts';

/** The newest rows of each kind that are brought back; what is older is left to the store. */
const MAX_OPEN_EVENTS = 500_000;
const MAX_SEEN = 300_000;
const MAX_ARRIVALS = 300_000;
const MAX_DECISIONS = 200_000;
/** Names in one condition, well below what Elasticsearch takes. */
const NAMES = 50_000;

type Newest = ReadonlyMap<string, number>;
const ARRIVAL = 'enriched.arrival';

/** An event that has no `details.sourceIds` comes without details. */
type OpenDocument = { readonly event: Omit<OpenEvent, 'details'> & Partial<Pick<OpenEvent, 'details'>> };
const OPEN_SOURCE = [
  ...['tenant', 'id', 'identity', 'source', 'sourceId', 'conditions', 'details.sourceIds', 'createdPosition'],
].map((name) => `event.${name}`);

class ElasticsearchRestorable implements Restorable {
  readonly #store: Store;
  readonly #mine: (tenant: string) => boolean;
  readonly #upTo: Query;
  readonly #through: number;
  readonly #refreshed = new Map<Family, Promise<void>>();
  #arrived: Promise<Newest> | null = null;

  constructor(store: Store, mine: (tenant: string) => boolean, { through = Number.MAX_SAFE_INTEGER }: RestoreOptions) {
    this.#store = store;
    this.#mine = mine;
    this.#through = through;
    this.#upTo = range(`${ARRIVAL}.position`, { lte: through });
  }

  async *openEvents() {
    const tenants = await this.#newest('events', 'event', 'event.position');
    const query = all(ofTenants('event', tenants), not(term('event.status', 'resolved')));
    for await (const page of this.#scan<OpenDocument>('events', query, 'event.position', OPEN_SOURCE, MAX_OPEN_EVENTS))
      for (const { event } of page) yield { ...event, details: event.details ?? {} };
  }

  async *seen(reachMs: number) {
    const since = reachedFrom(await this.#newest('events', 'event', 'event.lastOccurrence'), reachMs);
    const query = sinceQuery('event.tenant', 'event.lastOccurrence', since);
    const source = ['tenant', 'identity', 'seen', 'lastOccurrence'].map((name) => `event.${name}`);
    for await (const page of this.#scan<EventDocument>('events', query, 'event.position', source, MAX_SEEN))
      for (const { event } of page) {
        const { tenant, identity, seen, lastOccurrence } = event;
        if (lastOccurrence >= since.get(tenant)!) yield { tenant, identity, seen };
      }
  }

  async *recoveries(receivedSince: number) {
    const tenants = await this.#newest('recoveries', 'recovery', 'recovery.position');
    const query = all(ofTenants('recovery', tenants), range('recovery.receivedAt', { gte: receivedSince }));
    for await (const page of this.#scan<RecoveryDocument>('recoveries', query, 'recovery.position'))
      for (const { recovery } of page) yield recovery;
  }

  async *arrivals(reachMs: number) {
    const since = reachedFrom(await this.#newestArrivals(), reachMs);
    const query = all(sinceQuery(`${ARRIVAL}.tenant`, `${ARRIVAL}.time`, since), this.#upTo);
    const source = [ARRIVAL, 'enriched.late'];
    for await (const page of this.#scan<EnrichedDocument>(
      ...(['enriched', query, `${ARRIVAL}.position`, source, MAX_ARRIVALS] as const),
    ))
      for (const { enriched } of page) {
        const { arrival, late } = enriched;
        if (arrival.time >= since.get(arrival.tenant)!) yield { arrival, late };
      }
  }

  async *openGroups() {
    const tenants = await this.#newest('groups', 'group', 'group.position');
    const query = all(ofTenants('group', tenants), term('group.status', 'open'));
    for await (const page of this.#scan<GroupDocument>('groups', query, 'group.position'))
      for (const { group } of page) yield group;
  }

  async *decisions(since: number) {
    const tenants = await this.#newest('decisions', 'decision', 'decision.position');
    const names = await this.#namesOfOpenGroups();
    const arrived = await this.#arrivedSince(since);
    const wanted = any(...inChunks('decision.groupId', names), ...inChunks('decision.eventId', arrived));
    const query = all(ofTenants('decision', tenants), wanted);
    const source = ['tenant', 'position', 'eventId', 'groupId', 'founded', 'joined', 'merged', 'closed', 'manual'];
    const facts = new RestoredFacts(this.#store);
    for await (const page of this.#scan<DecisionDocument>(
      ...(['decisions', query, 'decision.position', source.map((name) => `decision.${name}`), MAX_DECISIONS] as const),
    ))
      yield* await facts.of(page.map(({ decision }) => decision));
  }

  async *watermarks() {
    const arrived = await this.#newestArrivals();
    const upTo = range('event.position', { lte: this.#through });
    const occurred = await this.#newest('events', 'event', 'event.lastOccurrence', upTo);
    for (const [tenant, time] of arrived) yield { tenant, time, last: occurred.get(tenant) ?? time };
  }

  async #namesOfOpenGroups(): Promise<string[]> {
    const names: string[] = [];
    for await (const { id, aliases } of this.openGroups()) names.push(id, ...aliases);
    return names;
  }

  /** Events with event time at or after `since`; merge asks for those that came while it was down. */
  async #arrivedSince(since: number): Promise<string[]> {
    const query = all(ofTenants(ARRIVAL, await this.#newestArrivals()), range(`${ARRIVAL}.time`, { gte: since }));
    const ids: string[] = [];
    const source = [`${ARRIVAL}.eventId`];
    for await (const page of this.#scan<EnrichedDocument>('enriched', query, `${ARRIVAL}.position`, source))
      for (const { enriched } of page) ids.push(enriched.arrival.eventId);
    return ids;
  }

  #newestArrivals(): Promise<Newest> {
    this.#arrived ??= this.#newest('enriched', ARRIVAL, `${ARRIVAL}.time`, this.#upTo);
    return this.#arrived;
  }

  /** The highest value per tenant of ours. */
  async #newest(family: Family, row: string, field: string, query: Query = EVERYTHING): Promise<Newest> {
    await this.#refresh(family);
    const asked = { index: this.#store.names.every(family), tenant: `${row}.tenant`, field, query };
    const found = await newestByTenant(this.#store.connection, asked);
    return new Map([...found].filter(([tenant]) => this.#mine(tenant)));
  }

  async *#scan<T>(family: Family, query: Query, sort: string, source?: readonly string[], most?: number) {
    await this.#refresh(family);
    const index = this.#store.names.every(family);
    const bounds = { ...(source === undefined ? {} : { source }), ...(most === undefined ? {} : { most }) };
    yield* scan<T>(this.#store.connection, { index, query, sort, ...bounds });
  }

  /** Search lags saves: once per family, so that everything saved before this object was made is seen. */
  #refresh(family: Family): Promise<void> {
    const refreshed = this.#refreshed.get(family) ?? this.#store.indices.refresh(family);
    this.#refreshed.set(family, refreshed);
    return refreshed;
  }
}

const ofTenants = (row: string, tenants: Newest): Query => terms(`${row}.tenant`, [...tenants.keys()]);
const reachedFrom = (newest: Newest, reachMs: number): Map<string, number> =>
  new Map([...newest].map(([tenant, time]) => [tenant, time - reachMs]));

function inChunks(field: string, names: readonly string[]): Query[] {
  const chunks: Query[] = [];
  for (let from = 0; from < names.length; from += NAMES) chunks.push(terms(field, names.slice(from, from + NAMES)));
  return chunks;
}

/** What memory is refilled from: rows of the tenants that `mine` holds, as they stand when each list is asked for. */
export const openRestorable = (store: Store, mine: (tenant: string) => boolean, options: RestoreOptions): Restorable =>
  new ElasticsearchRestorable(store, mine, options);
