import { pagesOf } from '#application/records/list-records.ts';
import { findService } from '#application/services/service-store.ts';
import { SEVERITIES, STATUSES } from '#domain/event/event.ts';
import type { PartRequest } from '#domain/page.ts';
import type { AggregateFilter } from '#domain/ports/events/event-aggregates.ts';
import { nameKey } from '#domain/topology/lookup.ts';
import { NO_KEYS } from '#domain/topology/match.ts';
import { zip } from '#domain/zip.ts';
import {
  meantCiTypes,
  namedEnvironments,
  namedServices,
  namedServiceTexts,
  namedSources,
  type TenantNames,
} from '#features/questions/rules/grammar/tenant-names.ts';
import { type FilterName, type Filters, given } from '#features/questions/rules/query.ts';
import { sourceNamed, storedSources } from '#sources/sources.ts';
import type { QueryAsking } from './asking.ts';
import { tenantNames } from './read-query.ts';

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
async function runningOn({ tenant, ports }: QueryAsking, hosts: readonly string[]): Promise<readonly string[]> {
  const options = { hops: 1, direction: 'down', types: ['runs_on', 'hosted_on', 'instance_of'], limit: CHUNK } as const;
  const around = await Promise.all(hosts.map((id) => ports.graph.neighbourhood(tenant, id, options)));
  return [...new Set(around.flatMap(({ nodes }) => nodes.map(({ ci }) => ci)))];
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

const known = <T extends string>(said: readonly string[] | undefined, words: readonly T[]): readonly T[] | undefined =>
  said && words.filter((word) => said.includes(word));

/** Resolves names; unknown ones are listed in `missing`. */
export async function resolveFilters(asking: QueryAsking, filters: Filters): Promise<Resolved> {
  const { ports, tenant } = asking;
  const missing: Missing[] = [];
  const names = await tenantNames(asking);
  // Lists of CIs are of IDs, which are looked up at once.
  const byId = (filters.ci?.length ?? 0) > 1 ? await ports.topology.getCis(tenant, filters.ci ?? []) : [];
  const ids = new Set(byId.map(({ id }) => id));
  const each = async <T>(
    kind: Exclude<FilterName, 'text'>,
    meant: (name: string) => Promise<readonly T[]> | readonly T[],
  ) => {
    const said = filters[kind];
    if (said === undefined) return null;
    const found = await Promise.all(said.map(meant));
    for (const [name, all] of zip(said, found)) if (all.length === 0) missing.push({ kind, name });
    return found.flat();
  };
  const named = (name: string) => cisNamed(asking, name);
  const [sources, environments, ciTypes, cis, causes, hosts, services] = await Promise.all([
    each('source', (name) => sourcesMeant(name, names)),
    each('environment', (name) => namedEnvironments(name, names)),
    each('ci_type', (name) => meantCiTypes(name, names)),
    each('ci', (name) => (ids.has(name) ? [name] : named(name))),
    each('cause', named),
    each('on', named),
    each('service', (name): { readonly id?: string; readonly text?: string }[] => [
      ...namedServices(name, names).map(({ id }) => ({ id })),
      ...namedServiceTexts(name, names).map((text) => ({ text })),
    ]),
  ]);
  const typed = ciTypes === null ? null : await cisOfTypes(asking, ciTypes);
  const serviceIds = services?.flatMap(({ id }) => id ?? []) ?? null;
  const found = await Promise.all((serviceIds ?? []).map((id) => findService(ports.records, tenant, id)));
  const components = found.flatMap(({ body }) => body.components.map(({ ciId }) => ciId));
  const running = hosts === null ? null : await runningOn(asking, hosts);
  const ciIds = within(within(cis, running), typed?.ids ?? null);
  const texts = services?.flatMap(({ text }) => text ?? []);
  return {
    services: serviceIds,
    ciTypes,
    environments,
    causes,
    missing,
    truncated: typed?.truncated ?? false,
    filter: given({
      severities: known(filters.severity, SEVERITIES),
      statuses: known(filters.status, STATUSES),
      sources: sources ?? undefined,
      environments: environments ?? undefined,
      ciIds: ciIds ?? undefined,
      ofService: texts && { names: texts, ciIds: [...new Set(components)] },
      search: filters.text,
    }),
  };
}
