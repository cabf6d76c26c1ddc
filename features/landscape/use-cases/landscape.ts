import type { TenantContext, TimedContext } from '#application/access/context.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { type KnownByTenant, knownByTenant } from '#domain/lru.ts';
import { MAX_BUCKETS } from '#domain/ports/events/event-aggregates.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import {
  type FieldInUse,
  MAX_PLACES,
  type PlaceKey,
  type PlacesQuery,
} from '#domain/ports/topology/infrastructure-queries.ts';
import type { CiFilter } from '#domain/ports/topology/topology-queries.ts';
import { boxesOf, type CiBox, countsOf, rankOf, restOf } from '#features/landscape/rules/boxes.ts';
import { levelsOf, placeFields } from '#features/landscape/rules/levels.ts';
import type { Landscape } from '#features/landscape/schemas/landscape.ts';

/** A filter that leaves so few CIs is a map. */
const MAX_MAP = 150;
const FIRST_LEVELS = 2;
const KEPT_MS = 5 * 60_000;
const MAX_TENANTS = 200;

/** Counted at most once in five minutes: all values of all CIs are read. */
const FIELDS: MemorySlot<KnownByTenant<readonly FieldInUse[], [Pick<Ports, 'estate'>]>> = {
  name: 'landscape-fields',
  open: () => knownByTenant(KEPT_MS, (tenant, { estate }) => estate.fields(tenant), MAX_TENANTS),
};
const fieldsOf = ({ ports, tenant, receivedAt: now }: TimedContext): Promise<readonly FieldInUse[]> =>
  ports.memory.of(FIELDS).of(tenant, now, ports);

/** The worst unresolved event of each CI, as a rank; of 10,000 CIs per severity those with most events. */
async function ranksOf({ ports, tenant }: TenantContext): Promise<PlacesQuery['ranks']> {
  const filter = { statuses: ['open', 'acknowledged'], changes: false } as const;
  const request = { measure: 'events', by: ['ci'], limit: MAX_BUCKETS } as const;
  const found = await Promise.all(
    SEVERITIES.map(async (severity) => ({
      rank: rankOf(severity),
      ...(await ports.eventAggregates.aggregate(tenant, { ...filter, severities: [severity] }, request)),
    })),
  );
  const ranks = new Map<string, number>();
  for (const { rank, buckets } of found)
    for (const { keys } of buckets) {
      const [ci = null] = keys;
      if (ci !== null && !ranks.has(ci)) ranks.set(ci, rank);
    }
  return ranks;
}

async function mapOf({ ports, tenant }: TenantContext, filter: CiFilter): Promise<Landscape['map']> {
  const { items: cis } = await ports.topology.findCis(tenant, filter, { sort: 'name', order: 'asc', limit: MAX_MAP });
  const ids = cis.map(({ id }) => id);
  return { cis, links: await ports.estate.linksAmong(tenant, ids) };
}

async function namesOf({ ports, tenant }: TenantContext, by: readonly PlaceKey[], boxes: readonly CiBox[]) {
  const level = by.indexOf('ci');
  const shown = level === -1 ? [] : level === 0 ? boxes : boxes.flatMap((box) => box.boxes);
  const cis = await ports.topology.getCis(
    tenant,
    shown.flatMap(({ value }) => value ?? []),
  );
  return new Map(cis.map(({ id, name }) => [id, name]));
}

export interface LandscapeAsked {
  /** Null: all CIs. */
  readonly filter: CiFilter | null;
  readonly by: readonly PlaceKey[] | undefined;
}

/** CIs as boxes within boxes with the worst of their unresolved events; few of a filter as a map. */
export async function readLandscape(context: TimedContext, { filter, by: wish }: LandscapeAsked): Promise<Landscape> {
  const { ports, tenant } = context;
  const [fields, total, ranks] = await Promise.all([fieldsOf(context), ports.counts.cis(tenant), ranksOf(context)]);
  const levels = levelsOf(fields, total);
  const by = wish ?? [...levels, 'ci' as const].slice(0, FIRST_LEVELS);
  const query = { filter: filter ?? {}, by, ranks };
  const places = await ports.estate.places(tenant, query);
  const isCut = places.length === MAX_PLACES;
  const [all] = isCut ? await ports.estate.places(tenant, { ...query, by: [] }) : [];
  const rest = all === undefined ? null : restOf(places, all);
  const counts = countsOf(all === undefined ? places : [all]);
  const isMap = filter !== null && counts.cis <= MAX_MAP;
  const set = isMap ? { boxes: [], others: null } : boxesOf(places, rest);
  return {
    ...counts,
    ...set,
    by,
    levels,
    fields: placeFields(fields),
    names: await namesOf(context, by, set.boxes),
    map: isMap ? await mapOf(context, filter) : null,
  };
}
