import type { UseCaseContext } from '#application/access/context.ts';
import { servicesHit } from '#application/services/services-hit.ts';
import type { Event } from '#domain/event/event.ts';
import { lastItem } from '#domain/known.ts';
import { paired } from '#domain/paired.ts';
import { lookupOf } from '#domain/topology/lookup.ts';
import { CAUSE_TYPES, type Ci, type Impact } from '#domain/topology/topology.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import { type CiEvents, type CiPicture, SPAN_MS } from '#features/insights/rules/ci-picture.ts';

const MAX_IMPACT = 10_000;
const MAX_NEEDS = 50;
const MAX_OPEN = 10;
const MAX_RECENT = 200;
const MAX_ADDRESSES = 10;

const UNRESOLVED = ['open', 'acknowledged'] as const;
type Asking = Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt' | 'caller'>;

const needsOf = async ({ tenant, ports }: Asking, { id }: Ci): Promise<NamedCi[]> => {
  const options = { hops: 1, direction: 'up', types: CAUSE_TYPES, limit: MAX_NEEDS } as const;
  const { nodes } = await ports.graph.neighbourhood(tenant, id, options);
  return nodes.map(({ ci, name, type }) => ({ id: ci, name, type }));
};

const beganWithin = (events: readonly Event[], from: number, to: number): number =>
  events.filter(({ firstOccurrence: at }) => at > from && at <= to).length;

/** Of a CI with more events than are read, those that the store counts: ones that were on within the span. */
async function countsOf({ tenant, ports, receivedAt: now }: Asking, ciId: string, recent: readonly Event[]) {
  const mid = now - SPAN_MS;
  const isWhole = recent.length < MAX_RECENT || lastItem(recent).createdAt < mid - SPAN_MS;
  if (isWhole) return { now: beganWithin(recent, mid, now), before: beganWithin(recent, mid - SPAN_MS, mid) };
  const total = async (from: number, to: number) =>
    (await ports.events.find(tenant, { ciId, from, to }, { sort: 'createdAt', order: 'desc', limit: 1 })).total;
  const [later, earlier] = await Promise.all([total(mid + 1, now), total(mid - SPAN_MS + 1, mid)]);
  return { now: later, before: earlier };
}

/** Null for a caller who may not read events. */
const eventsOf = async (asking: Asking, { id: ciId }: Ci): Promise<CiEvents | null> => {
  const { tenant, ports, caller, receivedAt } = asking;
  if (!caller.permissions.has('events.read')) return null;
  const severest = { sort: 'severity', order: 'desc', limit: MAX_OPEN } as const;
  const newest = { sort: 'createdAt', order: 'desc', limit: MAX_RECENT } as const;
  const [open, recent] = await Promise.all([
    ports.events.find(tenant, { ciId, statuses: UNRESOLVED }, severest),
    ports.events.find(tenant, { ciId, from: receivedAt - 2 * SPAN_MS }, newest),
  ]);
  const counts = await countsOf(asking, ciId, recent.items);
  return { open: open.items, openTotal: open.total, recent: recent.items, ...counts };
};

const sharedAddressesOf = async ({ tenant, ports }: Asking, ci: Ci): Promise<string[]> => {
  const addresses = lookupOf(ci).addresses.slice(0, MAX_ADDRESSES);
  if (addresses.length === 0) return [];
  const queries = addresses.map((ipAddress) => ({ ipAddress }));
  const bindings = await ports.matcher.bind(tenant, queries);
  return paired(addresses, bindings).flatMap(([address, { ambiguous }]) => (ambiguous ? [address] : []));
};

const servicesOf = (asking: Asking, { id }: Ci, { impacted }: Impact) =>
  servicesHit(asking, new Set([id, ...impacted.map(({ ci }) => ci)]));

/** Reads what rules look at when they tell of a CI. */
export async function seeCi(asking: Asking, ci: Ci): Promise<CiPicture> {
  const { tenant, ports, receivedAt } = asking;
  const [impact, needs, events, sharedAddresses, seen, relationships] = await Promise.all([
    ports.graph.impact(tenant, [ci.id], { limit: MAX_IMPACT }),
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
    services: await servicesOf(asking, ci, impact),
    lastSeen: seen.get(ci.id) ?? null,
    relationships: relationships.get(ci.id) ?? 0,
  };
}
