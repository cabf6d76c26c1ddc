import type { Incoming } from '#domain/event/incoming.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import { slices } from '#domain/slices.ts';
import { isMissing } from './cluster/connection.ts';
import { IS_OPEN } from './cluster/is-open.ts';
import { WEEKLY } from './cluster/names.ts';
import { all, EVERYTHING, range, term, terms } from './cluster/query.ts';
import { scan } from './cluster/scan.ts';
import { count, search } from './cluster/search.ts';
import type { Store } from './cluster/store.ts';
import { WEEK_MS, weekName, weekNamed } from './cluster/weeks.ts';
import type { GroupDocument } from './documents/correlation-documents.ts';
import type { EventDocument } from './documents/event-document.ts';
import { removeWhere } from './prune.ts';

export interface IndexRetention {
  /**
   * Drops weeks that ended before `before` (ms) and whose events all occurred last before it. Open ones in them are
   * requested to expire, and the week is deleted later. Returns the number of deleted events.
   */
  purge(before: number, isStopping?: () => boolean): Promise<number>;
}

/** Begin of each week that has indices, oldest first, by the aliases of their families. */
async function storedWeeks({ connection, names }: Store): Promise<number[]> {
  const found = await connection.ask((client) => client.indices.getAlias({ index: `${names.prefix}-*` }));
  const weeks = new Set<number>();
  for (const { aliases } of Object.values(found))
    for (const alias of Object.keys(aliases)) {
      const week = weekNamed(alias);
      if (week !== null) weeks.add(week);
    }
  return [...weeks].sort((a, b) => a - b);
}

const aliasOf = ({ names }: Store, family: (typeof WEEKLY)[number], week: number): string =>
  `${names.prefix}-${family}-${weekName(week)}`;

async function dropWeek(store: Store, week: number): Promise<void> {
  for (const alias of WEEKLY.map((family) => aliasOf(store, family, week))) {
    // Read by alias, deleted by name: an alias cannot be deleted as an index.
    const found = await store.connection
      .ask((client) => client.indices.getAlias({ name: alias }))
      .catch((error) => (isMissing(error) ? {} : Promise.reject(error)));
    const indices = Object.keys(found);
    if (indices.length > 0) await store.connection.ask((client) => client.indices.delete({ index: indices }));
    store.indices.forget(alias);
  }
}

/** An open event is resolved by its owner, so that its subscribers are notified. */
async function expire(store: Store, index: string, append: EventLog['append'], receivedAt: number): Promise<void> {
  const source = ['event.tenant', 'event.id'];
  for await (const page of scan<EventDocument>(store.connection, {
    index,
    query: IS_OPEN,
    sort: 'event.position',
    source,
  })) {
    const byTenant = Map.groupBy(page, ({ event }) => event.tenant);
    for (const [tenant, documents] of byTenant) {
      const ask = ({ event }: EventDocument): Incoming => ({ ask: { kind: 'expired', eventId: event.id }, receivedAt });
      await append(tenant, documents.map(ask));
    }
  }
}

async function purgeWeek(
  store: Store,
  week: number,
  before: number,
  expireIn: (index: string) => Promise<void>,
): Promise<number> {
  const { connection } = store;
  // The wildcard finds nothing, rather than fails, when there are decisions alone.
  const index = `${aliasOf(store, 'events', week)}-*`;
  const young = range('event.lastOccurrence', { gte: before });
  if ((await count(connection, index, young)) > 0) return 0;
  if ((await count(connection, index, IS_OPEN)) > 0) {
    await expireIn(index);
    return 0;
  }
  const removed = await count(connection, index, EVERYTHING);
  await dropWeek(store, week);
  return removed;
}

/** Names requested at once. */
const NAMES = 10_000;

/** Returns the names that events still have. */
async function namesOfEvents({ connection, names }: Store, tenant: string, asked: readonly string[]) {
  const found = new Set<string>();
  for (const some of slices(asked, NAMES)) {
    const query = all(term('event.tenant', tenant), terms('event.correlationId', some));
    const aggs = { groups: { terms: { field: 'event.correlationId', size: NAMES } } };
    const { aggregations } = await search<unknown, { groups: { buckets: { key: string }[] } }>(connection, {
      index: names.every('events'),
      query,
      size: 0,
      aggs,
    });
    for (const { key } of aggregations?.groups.buckets ?? []) found.add(key);
  }
  return found;
}

/** Deletes groups without a new member since `before` when no event names them, or a group merged into them. */
async function forgetGroups(store: Store, before: number, isStopping: () => boolean): Promise<void> {
  const source = ['group.tenant', 'group.id', 'group.aliases'];
  const query = range('group.last', { lt: before });
  const asked = { index: store.names.every('groups'), query, sort: 'group.position', source };
  for await (const page of scan<GroupDocument>(store.connection, asked)) {
    if (isStopping()) return;
    for (const [tenant, own] of Map.groupBy(page, ({ group }) => group.tenant)) {
      const namesOf = ({ group: { id, aliases } }: GroupDocument): string[] => [id, ...aliases];
      const named = await namesOfEvents(store, tenant, own.flatMap(namesOf));
      const gone = own.filter((one) => !namesOf(one).some((name) => named.has(name))).map(({ group }) => group.id);
      if (gone.length === 0) continue;
      for (const family of ['groups', 'grouprows'] as const)
        await removeWhere(store, family, all(term('group.tenant', tenant), terms('group.id', gone)));
    }
  }
}

export const openRetention = (store: Store, log: Pick<EventLog, 'append'>, clock: Clock): IndexRetention => ({
  async purge(before, isStopping = () => false) {
    await Promise.all([store.indices.refresh('events'), store.indices.refresh('groups')]);
    const expireIn = (index: string) =>
      expire(store, index, (tenant, records) => log.append(tenant, records), clock.now());
    let removed = 0;
    for (const week of await storedWeeks(store)) {
      if (week + WEEK_MS > before || isStopping()) break;
      removed += await purgeWeek(store, week, before, expireIn);
    }
    await forgetGroups(store, before, isStopping);
    return removed;
  },
});
