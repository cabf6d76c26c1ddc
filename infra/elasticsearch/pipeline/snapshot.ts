import { entryOf, itemAt, lastItem } from '#domain/assert.ts';
import { ON } from '#domain/correlation/grouping/group-state.ts';
import type { Enriched } from '#domain/correlation/records.ts';
import { NO_TRANSITIONS } from '#domain/correlation/status-transitions.ts';
import { HABITS, type SavedHabits } from '#domain/correlation/window/habits.ts';
import type { Event } from '#domain/event/event.ts';
import { MAX_AHEAD_MS } from '#domain/event/lifecycle/change.ts';
import type { Arrived, LastingMember, OpenEvent, Restorable } from '#domain/pipeline/processor.ts';
import type { RestoreOptions } from '#domain/ports/pipeline-store.ts';
import { slices } from '#domain/slices.ts';
import { IS_OPEN } from '#infra/elasticsearch/cluster/is-open.ts';
import type { Family } from '#infra/elasticsearch/cluster/names.ts';
import { all, any, EVERYTHING, exists, range, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import type { DocumentQuery } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { sinceQuery } from '#infra/elasticsearch/cluster/tenants.ts';
import {
  type DecisionDocument,
  type EnrichedDocument,
  type GroupDocument,
  groupPlace,
  SPLITS,
} from '#infra/elasticsearch/documents/correlation-documents.ts';
import { readMany } from '#infra/elasticsearch/documents/documents.ts';
import { type EventDocument, eventPlace } from '#infra/elasticsearch/documents/event-document.ts';
import { type Newest, OwnRows } from '#infra/elasticsearch/documents/own-rows.ts';
import type { RecoveryDocument } from '#infra/elasticsearch/documents/pipeline-documents.ts';
import type { RecordDocument } from '#infra/elasticsearch/documents/record-document.ts';
import { readTransitions } from '#infra/elasticsearch/queries/event-transitions.ts';
import { standingGroup } from '#infra/elasticsearch/queries/group-lookup.ts';
import { IndexedArrivals } from './arrivals.ts';

/** Maximum of the newest rows of each kind that are restored; older ones are left to the store. */
const MAX_OPEN_EVENTS = 500_000;
const MAX_SEEN = 300_000;
const MAX_ARRIVALS = 300_000;
const MAX_DECISIONS = 200_000;
const MAX_HABIT_RECORDS = 4_000;
/** Names in one condition, well below the limit of Elasticsearch. */
const NAMES = 50_000;

const ARRIVAL = 'enriched.arrival';

/** An event without `details.sourceIds` is returned without details. */
type OpenDocument = { readonly event: Omit<OpenEvent, 'details'> & Partial<Pick<OpenEvent, 'details'>> };
const OPEN_SOURCE = 'tenant id identity source sourceId conditions details.sourceIds createdPosition position'
  .split(' ')
  .map((name) => `event.${name}`);

/** Decisions whose assignments may wait for dedup when merge starts. */
const MAX_UNTOLD = 20_000;
const MAX_NAMED_EVENTS = 1_000;

type LastingDocument = { readonly event: Pick<Event, 'tenant' | 'id' | 'correlationId' | 'status' | 'position'> };
const LASTING_SOURCE = ['tenant', 'id', 'correlationId', 'status', 'position'].map((name) => `event.${name}`);
const keyOfEvent = (tenant: string, id: string): string => `${tenant}/${id}`;

class ElasticsearchRestorable implements Restorable {
  readonly until: number;
  readonly #store: Store;
  readonly #rows: OwnRows;
  readonly #upTo: (field: string) => DocumentQuery;
  readonly #through: number | undefined;
  #arrived: Promise<Newest> | null = null;

  constructor(store: Store, mine: (tenant: string) => boolean, { through, now }: RestoreOptions) {
    this.until = now === undefined ? Number.MAX_SAFE_INTEGER : now + MAX_AHEAD_MS;
    this.#store = store;
    this.#rows = new OwnRows(store, mine);
    this.#through = through;
    this.#upTo = (field) => (through === undefined ? EVERYTHING : range(field, { lte: through }));
  }

  async *openEvents() {
    const query = all(await this.#ofOurs('events', 'event'), IS_OPEN);
    for await (const page of this.#rows.scan<OpenDocument>(
      'events',
      query,
      'event.position',
      OPEN_SOURCE,
      MAX_OPEN_EVENTS,
    ))
      yield page.map(({ event }) => ({ ...event, details: event.details ?? {} }));
  }

  async *seen(reachMs: number) {
    const since = reachedFrom(await this.#newest('event.lastOccurrence'), reachMs);
    const query = sinceQuery('event.tenant', 'event.lastOccurrence', since);
    const source = ['tenant', 'identity', 'seen', 'lastOccurrence'].map((name) => `event.${name}`);
    for await (const page of this.#rows.scan<EventDocument>('events', query, 'event.position', source, MAX_SEEN))
      yield page
        .map(({ event }) => event)
        .filter(({ tenant, lastOccurrence }) => lastOccurrence >= entryOf(since, tenant))
        .map(({ tenant, identity, seen }) => ({ tenant, identity, seen }));
  }

  async *recoveries(receivedSince: number) {
    const ours = await this.#ofOurs('recoveries', 'recovery');
    const query = all(ours, range('recovery.receivedAt', { gte: receivedSince }));
    for await (const page of this.#rows.scan<RecoveryDocument>('recoveries', query, 'recovery.position'))
      for (const { recovery } of page) yield recovery;
  }

  async *arrivals(reachMs: number) {
    const since = reachedFrom(await this.#newestArrivals(), reachMs);
    const query = all(sinceQuery(`${ARRIVAL}.tenant`, `${ARRIVAL}.time`, since), this.#upTo(`${ARRIVAL}.position`));
    const source = [ARRIVAL, 'enriched.late'];
    const again = await this.#rearrivals(query, source);
    for await (const page of this.#withThem(
      this.#rows.scan<EnrichedDocument>('enriched', query, `${ARRIVAL}.position`, source, MAX_ARRIVALS),
      again,
    ))
      yield this.#lived(
        page.map(({ enriched }) => enriched).filter(({ arrival: a }) => a.time >= entryOf(since, a.tenant)),
      );
  }

  /** Second arrivals of which the first family has only the last; there are few of them. */
  async #rearrivals(query: DocumentQuery, source: readonly string[]): Promise<EnrichedDocument[]> {
    const found: EnrichedDocument[] = [];
    for await (const page of this.#rows.scan<EnrichedDocument>(
      'rearrivals',
      query,
      `${ARRIVAL}.position`,
      source,
      MAX_ARRIVALS,
    ))
      found.push(...page);
    return found;
  }

  /** Both lists as one, by position, each position once. */
  async *#withThem(pages: AsyncIterable<readonly EnrichedDocument[]>, again: readonly EnrichedDocument[]) {
    let next = 0;
    for await (const page of pages) {
      const last = positionOf(lastItem(page));
      const due: EnrichedDocument[] = [];
      while (next < again.length && positionOf(itemAt(again, next)) <= last) due.push(itemAt(again, next++));
      yield due.length === 0 ? page : byPosition([...page, ...due]);
    }
    if (next < again.length) yield again.slice(next);
  }

  async #lived(records: readonly Pick<Enriched, 'arrival' | 'late'>[]): Promise<Arrived[]> {
    const turns = await readTransitions(
      this.#store,
      records.map(({ arrival }) => ({ tenant: arrival.tenant, id: arrival.eventId })),
    );
    const through = this.#through ?? Number.POSITIVE_INFINITY;
    return records.map(({ arrival, late }) => {
      const told = turns.get(arrival.eventId) ?? NO_TRANSITIONS;
      return { arrival, late, turns: told.filter(({ position }) => position <= through) };
    });
  }

  async *habits() {
    const query = all(await this.#ofTenants(), term('kind', HABITS));
    const scanned = ['records', query, 'expiresAt', ['tenant', 'body'], MAX_HABIT_RECORDS] as const;
    for await (const page of this.#rows.scan<Pick<RecordDocument, 'tenant' | 'body'>>(...scanned))
      for (const { tenant, body } of page) yield { tenant, saved: body as SavedHabits };
  }

  async *openGroups() {
    const query = all(await this.#ofOurs('groups', 'group'), term('group.status', 'open'));
    for await (const page of this.#rows.scan<GroupDocument>('groups', query, 'group.position'))
      for (const { group } of page) yield group;
  }

  async *lasting(decided: number) {
    const joined = await this.#joinedLately(decided);
    const isAsked = any(terms('event.status', ON), range('event.position', { gt: decided }));
    const query = all(await this.#ofOurs('events', 'event'), isAsked, exists('event.correlationId'));
    const scanned = ['events', query, 'event.position', LASTING_SOURCE, MAX_OPEN_EVENTS] as const;
    for await (const page of this.#rows.scan<LastingDocument>(...scanned)) {
      const events = page.map(({ event }) => event).filter(({ tenant, id }) => !joined.has(keyOfEvent(tenant, id)));
      yield this.#lastingOf(events, decided);
    }
    for (const some of slices([...joined.values()], MAX_NAMED_EVENTS)) {
      const { connection, names } = this.#store;
      const places = some.map(({ tenant, id }) => eventPlace(names, tenant, id)).filter((place) => place !== null);
      const groupIds = new Map(some.map(({ tenant, id, groupId }) => [keyOfEvent(tenant, id), groupId]));
      const events = (await readMany<LastingDocument>(connection, places, LASTING_SOURCE)).flatMap((document) => {
        const event = document?.event;
        const correlationId = event && groupIds.get(keyOfEvent(event.tenant, event.id));
        const isWanted = event && (ON.some((status) => status === event.status) || event.position > decided);
        return isWanted && correlationId ? [{ ...event, correlationId }] : [];
      });
      yield this.#lastingOf(events, decided);
    }
  }

  /**
   * Groups to which merge assigned events lately, which those may not contain yet: assignments wait in the log. By
   * tenant and event; null: none.
   */
  async #joinedLately(decided: number) {
    const joined = new Map<string, { tenant: string; id: string; groupId: string | null }>();
    const since = range('decision.position', { gt: decided - MAX_UNTOLD });
    const query = all(await this.#ofOurs('decisions', 'decision'), since);
    const source = ['tenant', 'groupId', 'joined', 'apart.left'].map((name) => `decision.${name}`);
    const scanned = ['decisions', query, 'decision.position', source, MAX_UNTOLD] as const;
    for await (const page of this.#rows.scan<DecisionDocument>(...scanned))
      for (const { decision } of page) {
        const { tenant, groupId, apart } = decision;
        for (const id of apart?.left ?? []) joined.set(keyOfEvent(tenant, id), { tenant, id, groupId: null });
        for (const id of decision.joined) joined.set(keyOfEvent(tenant, id), { tenant, id, groupId });
      }
    return joined;
  }

  async #lastingOf(events: readonly LastingDocument['event'][], decided: number): Promise<LastingMember[]> {
    const named = new Map(events.map((event) => [keyOfEvent(event.tenant, event.correlationId ?? ''), event] as const));
    const closed = await this.#closedGroups([...named.values()]);
    const turns = await readTransitions(
      this.#store,
      events.filter(({ position }) => position > decided),
    );
    return events.flatMap(({ tenant, id, correlationId }) => {
      const groupId = closed.get(keyOfEvent(tenant, correlationId ?? ''));
      const told = turns.get(id);
      return groupId === undefined ? [] : [{ tenant, eventId: id, groupId, ...(told && { turns: told }) }];
    });
  }

  /** Returns closed groups by tenant and name. */
  async #closedGroups(named: readonly Pick<Event, 'tenant' | 'correlationId'>[]): Promise<Map<string, string>> {
    const { connection, names } = this.#store;
    const places = named.map(({ tenant, correlationId }) => groupPlace(names, tenant, correlationId ?? ''));
    const stored = await readMany<GroupDocument>(connection, places);
    const closed = new Map<string, string>();
    for (const [place, { tenant, correlationId }] of named.entries()) {
      const own = stored[place]?.group;
      const group = own?.status === 'merged' ? await standingGroup(this.#store, tenant, own.id) : own;
      if (group?.status === 'closed') closed.set(keyOfEvent(tenant, correlationId ?? ''), group.id);
    }
    return closed;
  }

  async *decisions(since: number) {
    const ours = await this.#ofOurs('decisions', 'decision');
    const names = await this.#namesOfOpenGroups();
    const arrived = await this.#arrivedSince(since);
    const wanted = any(
      ...inChunks('decision.groupId', names),
      ...inChunks('decision.eventId', arrived),
      term('events', SPLITS),
    );
    const query = all(ours, wanted);
    const source =
      'tenant position eventId groupId founded joined merged closed manual witnessed apart reunited heirOf'.split(' ');
    const facts = new IndexedArrivals(this.#store);
    for await (const page of this.#rows.scan<DecisionDocument>(
      'decisions',
      query,
      'decision.position',
      source.map((name) => `decision.${name}`),
      MAX_DECISIONS,
    ))
      yield* await facts.of(page.map(({ decision }) => decision));
  }

  async *watermarks() {
    const arrived = await this.#newestArrivals();
    const upTo = this.#upTo('event.position');
    const occurred = await this.#newest('event.lastOccurrence', upTo);
    const created = await this.#newest('event.timestamp', upTo);
    for (const [tenant, last] of occurred)
      yield { tenant, time: arrived.get(tenant) ?? null, last, newest: created.get(tenant) ?? last };
    for (const [tenant, time] of arrived) if (!occurred.has(tenant)) yield { tenant, time, last: time, newest: time };
  }

  async #namesOfOpenGroups(): Promise<string[]> {
    const names: string[] = [];
    for await (const { id, aliases } of this.openGroups()) names.push(id, ...aliases);
    return names;
  }

  /** Returns events with event time at or after `since`; merge requests events that arrived while it was down. */
  async #arrivedSince(since: number): Promise<string[]> {
    const query = all(await this.#ofOurs('enriched', ARRIVAL), range(`${ARRIVAL}.time`, { gte: since }));
    const ids: string[] = [];
    const source = [`${ARRIVAL}.eventId`];
    for await (const page of this.#rows.scan<EnrichedDocument>('enriched', query, `${ARRIVAL}.position`, source))
      for (const { enriched } of page) ids.push(enriched.arrival.eventId);
    return ids;
  }

  async #ofOurs(family: Family, row: string): Promise<DocumentQuery> {
    return any(...inChunks(`${row}.tenant`, await this.#rows.tenants(family, row)));
  }

  async #ofTenants(): Promise<DocumentQuery> {
    return any(...inChunks('tenant', await this.#rows.tenants('enriched', ARRIVAL)));
  }

  #newestArrivals(): Promise<Newest> {
    const query = all(this.#upTo(`${ARRIVAL}.position`), range(`${ARRIVAL}.time`, { lte: this.until }));
    this.#arrived ??= this.#rows.newest('enriched', ARRIVAL, `${ARRIVAL}.time`, query);
    return this.#arrived;
  }

  #newest(field: string, query: DocumentQuery = EVERYTHING): Promise<Newest> {
    return this.#rows.newest('events', 'event', field, all(query, range(field, { lte: this.until })));
  }
}

const positionOf = ({ enriched: { arrival } }: EnrichedDocument): number => arrival.position;

/** Tenants of two partitions may have one position. */
const keyOf = (document: EnrichedDocument): string => `${positionOf(document)}/${document.enriched.arrival.tenant}`;

const byPosition = (documents: readonly EnrichedDocument[]): EnrichedDocument[] =>
  [...new Map(documents.map((one) => [keyOf(one), one])).values()].sort((a, b) => positionOf(a) - positionOf(b));

const reachedFrom = (newest: Newest, reachMs: number): Map<string, number> =>
  new Map([...newest].map(([tenant, time]) => [tenant, time - reachMs]));

function inChunks(field: string, names: readonly string[]): DocumentQuery[] {
  const chunks: DocumentQuery[] = [];
  for (const some of slices(names, NAMES)) chunks.push(terms(field, some));
  return chunks;
}

/** Rows that refill memory: of the tenants that `mine` holds, as they are when each list is read. */
export const openSnapshot = (store: Store, mine: (tenant: string) => boolean, options: RestoreOptions): Restorable =>
  new ElasticsearchRestorable(store, mine, options);
