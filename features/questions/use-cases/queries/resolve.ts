import { pagesOf } from '#application/records/list-records.ts';
import { findService } from '#application/services/service-store.ts';
import { itemAt } from '#domain/assert.ts';
import { SEVERITIES, STATUSES } from '#domain/event/event.ts';
import type { PartRequest } from '#domain/page.ts';
import type { AggregateFilter } from '#domain/ports/events/event-aggregates.ts';
import { nameKey } from '#domain/topology/lookup.ts';
import { NO_KEYS } from '#domain/topology/match.ts';
import {
  meantCiTypes,
  namedEnvironments,
  namedServices,
  namedServiceTexts,
  namedSources,
  type TenantNames,
} from '#features/questions/rules/grammar/tenant-names.ts';
import type { FilterName, Filters } from '#features/questions/rules/query.ts';
import { sourceNamed, storedSources } from '#sources/sources.ts';
import type { QueryAsking } from './asking.ts';
import { tenantNames } from './tenant-names.ts';

/** CIs of a type that are looked at. */
const MAX_CIS = 10_000;
const CHUNK = 1_000;

interface Missing {
  readonly kind: FilterName;
  readonly name: string;
}

/** Filters for stores. */
export interface Resolved {
  readonly filter: AggregateFilter;
  /** Ids of business services, when some are named. */
  readonly services: readonly string[] | null;
  /** Stored types, when some are named. */
  readonly ciTypes: readonly string[] | null;
  readonly environments: readonly string[] | null;
  /** Ids of the CIs that incidents began with, when some are named. */
  readonly causes: readonly string[] | null;
  /** Names that nothing is called by. */
  readonly missing: readonly Missing[];
  /** There are more CIs of the type. */
  readonly truncated: boolean;
}

/** Ids of the CIs that a name stands for: id, external key, host name, address. */
export async function cisNamed(
  { tenant, ports, caller }: Pick<QueryAsking, 'tenant' | 'ports' | 'caller'>,
  name: string,
): Promise<readonly string[]> {
  if (!caller.permissions.has('cmdb.read')) return [];
  const [binding] = await ports.matcher.bind(tenant, [{ ciId: name, hostname: name, ipAddress: name }]);
  if (binding?.ci) return [binding.ci.id];
  const keys = { ...NO_KEYS, fqdn: [nameKey(name)], hostname: [nameKey(name)] };
  const [found] = binding?.ambiguous ? await ports.matcher.match(tenant, [keys]) : [];
  return [...new Set([...(found?.fqdn ?? []), ...(found?.hostname ?? [])])];
}

/** Ids of the CIs of some types, the first 10,000 by name. */
async function cisOfTypes({ tenant, ports }: QueryAsking, types: readonly string[]) {
  const ids: string[] = [];
  const read = (page: PartRequest) =>
    ports.topology.findCis(tenant, { types }, { sort: 'name', order: 'asc', ...page });
  for await (const cis of pagesOf(CHUNK, read)) {
    if (ids.length >= MAX_CIS) return { ids, truncated: true };
    ids.push(...cis.map(({ id }) => id));
  }
  return { ids, truncated: false };
}

/** CIs that run on these. */
async function runningOn({ tenant, ports }: QueryAsking, hosts: readonly string[]): Promise<readonly string[]> {
  const options = { hops: 1, direction: 'down', types: ['runs_on', 'hosted_on', 'instance_of'], limit: CHUNK } as const;
  const around = await Promise.all(hosts.map((id) => ports.graph.neighbourhood(tenant, id, options)));
  return [...new Set(around.flatMap(({ nodes }) => nodes.map(({ ci }) => ci)))];
}

/** Resolves each name; unknown ones are collected in `missing`. */
async function resolveEach<T>(
  filters: Filters,
  kind: 'source' | 'environment' | 'ci_type' | 'ci' | 'service' | 'cause' | 'on',
  meant: (name: string) => Promise<readonly T[]> | readonly T[],
  missing: Missing[],
): Promise<readonly T[] | null> {
  const said = filters[kind];
  if (said === undefined) return null;
  const found = await Promise.all(said.map(meant));
  said.forEach((name, i) => {
    if (itemAt(found, i).length === 0) missing.push({ kind, name });
  });
  return found.flat();
}

const sourcesMeant = (name: string, names: TenantNames): string[] => {
  const stored = namedSources(name, names);
  if (stored.length > 0) return stored;
  // A monitor that is known and has sent nothing lately.
  return sourceNamed(name) === undefined ? [] : storedSources([name]);
};

const within = (one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null => {
  if (one === null || other === null) return one ?? other;
  const known = new Set(other);
  return one.filter((id) => known.has(id));
};

const known = <T extends string>(said: readonly string[] | undefined, words: readonly T[]): readonly T[] | null =>
  said === undefined ? null : words.filter((word) => said.includes(word));

/** Resolves names; unknown ones are listed in `missing`. */
export async function resolveFilters(asking: QueryAsking, filters: Filters): Promise<Resolved> {
  const { ports, tenant } = asking;
  const missing: Missing[] = [];
  const names = await tenantNames(asking);
  // Lists of CIs are of IDs, which are looked up at once.
  const byId = (filters.ci?.length ?? 0) > 1 ? await ports.topology.getCis(tenant, filters.ci ?? []) : [];
  const ids = new Set(byId.map(({ id }) => id));
  const [sources, environments, ciTypes, cis, causes, hosts, services] = await Promise.all([
    resolveEach(filters, 'source', (name) => sourcesMeant(name, names), missing),
    resolveEach(filters, 'environment', (name) => namedEnvironments(name, names), missing),
    resolveEach(filters, 'ci_type', (name) => meantCiTypes(name, names), missing),
    resolveEach(filters, 'ci', (name) => (ids.has(name) ? [name] : cisNamed(asking, name)), missing),
    resolveEach(filters, 'cause', (name) => cisNamed(asking, name), missing),
    resolveEach(filters, 'on', (name) => cisNamed(asking, name), missing),
    resolveEach(
      filters,
      'service',
      (name) => [
        ...namedServices(name, names).map(({ id }) => ({ id, text: null })),
        ...namedServiceTexts(name, names).map((text) => ({ id: null, text })),
      ],
      missing,
    ),
  ]);
  const typed = ciTypes === null ? null : await cisOfTypes(asking, ciTypes);
  const serviceIds = services?.flatMap(({ id }) => id ?? []) ?? null;
  const found =
    serviceIds === null ? [] : await Promise.all(serviceIds.map((id) => findService(ports.records, tenant, id)));
  const components = found.flatMap(({ body }) => body.components.map(({ ciId }) => ciId));
  const running = hosts === null ? null : await runningOn(asking, hosts);
  const ciIds = within(within(cis, running), typed?.ids ?? null);
  const severities = known(filters.severity, SEVERITIES);
  const statuses = known(filters.status, STATUSES);
  return {
    services: serviceIds,
    ciTypes,
    environments,
    causes,
    missing,
    truncated: typed?.truncated ?? false,
    filter: {
      ...(severities && { severities }),
      ...(statuses && { statuses }),
      ...(sources && { sources }),
      ...(environments && { environments }),
      ...(ciIds && { ciIds }),
      ...(services && {
        ofService: { names: services.flatMap(({ text }) => text ?? []), ciIds: [...new Set(components)] },
      }),
      ...(filters.text !== undefined && { search: filters.text }),
    },
  };
}
