import type { QueryContext } from '#application/access/context.ts';
import { causeLessons } from '#application/groups/cause-lessons.ts';
import { impactNow } from '#application/services/impact-now.ts';
import { lastItem } from '#domain/assert.ts';
import type { Event } from '#domain/event/event.ts';
import { lookupOf } from '#domain/topology/lookup.ts';
import { CAUSE_TYPES, type Ci } from '#domain/topology/topology.ts';
import { zip } from '#domain/zip.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import { type CiEvents, type CiPicture, SPAN_MS } from '#features/insights/rules/ci-picture.ts';

const MAX_IMPACT = 10_000;
const MAX_NEEDS = 50;
const MAX_OPEN = 10;
const MAX_RECENT = 200;
const MAX_ADDRESSES = 10;

const UNRESOLVED = ['open', 'acknowledged'] as const;

const needsOf = async ({ tenant, ports }: QueryContext, { id }: Ci): Promise<NamedCi[]> => {
  const options = { hops: 1, direction: 'up', types: CAUSE_TYPES, limit: MAX_NEEDS } as const;
  const { nodes } = await ports.graph.neighbourhood(tenant, id, options);
  return nodes.map(({ ci, name, type }) => ({ id: ci, name, type }));
};

const beganWithin = (events: readonly Event[], from: number, to: number): number =>
  events.filter(({ firstOccurrence: at }) => at > from && at <= to).length;

/** Counts events of the span in the store, for a CI with more events than are read. */
async function countsOf({ tenant, ports, receivedAt: now }: QueryContext, ciId: string, recent: readonly Event[]) {
  const mid = now - SPAN_MS;
  const isWhole = recent.length < MAX_RECENT || lastItem(recent).createdAt < mid - SPAN_MS;
  if (isWhole) return { now: beganWithin(recent, mid, now), before: beganWithin(recent, mid - SPAN_MS, mid) };
  const total = async (from: number, to: number) =>
    (await ports.events.find(tenant, { ciId, from, to }, { sort: 'createdAt', order: 'desc', limit: 1 })).total;
  const [later, earlier] = await Promise.all([total(mid + 1, now), total(mid - SPAN_MS + 1, mid)]);
  return { now: later, before: earlier };
}

/** Null for a caller who may not read events. */
const eventsOf = async (asking: QueryContext, { id: ciId, name }: Ci): Promise<CiEvents | null> => {
  const { tenant, ports, caller, receivedAt } = asking;
  if (!caller.permissions.has('events.read')) return null;
  const severest = { sort: 'severity', order: 'desc', limit: MAX_OPEN } as const;
  const newest = { sort: 'createdAt', order: 'desc', limit: MAX_RECENT } as const;
  const [open, recent] = await Promise.all([
    ports.events.find(tenant, { ciId, statuses: UNRESOLVED }, severest),
    ports.events.find(tenant, { ciId, from: receivedAt - 2 * SPAN_MS }, newest),
  ]);
  const counts = await countsOf(asking, ciId, recent.items);
  const known = await causeLessons(ports, tenant);
  const signatures = new Set([...open.items, ...recent.items].map(({ signature }) => signature));
  const lessons = [...signatures]
    .flatMap((signature) => known.get(signature) ?? [])
    .filter(({ rootSubject }) => rootSubject === name);
  return { open: open.items, openTotal: open.total, recent: recent.items, lessons, ...counts };
};

const sharedAddressesOf = async ({ tenant, ports }: QueryContext, ci: Ci): Promise<string[]> => {
  const addresses = lookupOf(ci).addresses.slice(0, MAX_ADDRESSES);
  if (addresses.length === 0) return [];
  const queries = addresses.map((ipAddress) => ({ ipAddress }));
  const bindings = await ports.matcher.bind(tenant, queries);
  return zip(addresses, bindings).flatMap(([address, { ambiguous }]) => (ambiguous ? [address] : []));
};

/** Reads the input of the rules that describe a CI. */
export async function seeCi(asking: QueryContext, ci: Ci): Promise<CiPicture> {
  const { tenant, ports, receivedAt } = asking;
  const [{ impact, services }, needs, events, sharedAddresses, seen, relationships] = await Promise.all([
    impactNow(asking, [ci.id], { limit: MAX_IMPACT }),
    needsOf(asking, ci),
    eventsOf(asking, ci),
    sharedAddressesOf(asking, ci),
    ports.topology.lastSeen(tenant, [ci.id]),
    ports.counts.relationships(tenant, [ci.id]),
  ]);
  return {
    ci,
    at: receivedAt,
    impact,
    needs,
    events,
    sharedAddresses,
    services,
    lastSeen: seen.get(ci.id) ?? null,
    relationships: relationships.get(ci.id) ?? 0,
  };
}
