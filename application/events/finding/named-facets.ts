import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { entryOf } from '#domain/assert.ts';
import type { Facet, FacetCount, Facets } from '#domain/ports/events/event-summaries.ts';
import type { Ports } from '#domain/ports/ports.ts';

export interface NamedFacets extends Omit<Facets, 'facets'> {
  readonly facets: Readonly<Record<Facet, readonly (FacetCount & { readonly name?: string })[]>>;
}

type NamePorts = Pick<Ports, 'topology' | 'records'>;
type Names = ReadonlyMap<string, string>;

async function namesOfCis({ topology }: NamePorts, tenant: string, ids: readonly string[]): Promise<Names> {
  const cis = await topology.getCis(tenant, ids);
  return new Map(cis.map(({ id, name }) => [id, name]));
}

async function namesOfUsers({ records }: NamePorts, tenant: string, ids: readonly string[]): Promise<Names> {
  const found = await Promise.all(ids.map((id) => records.get<UserRecord>(tenant, ACCESS_KINDS.user, id)));
  return new Map(found.flatMap((one) => (one === null ? [] : [[one.body.id, one.body.name] as const])));
}

const idsOf = (values: readonly FacetCount[]): string[] => values.map(({ value }) => value);
const withNames = (values: readonly FacetCount[], names: Names) =>
  values.map(({ value, count }) => ({ value, ...(names.has(value) && { name: entryOf(names, value) }), count }));

/** CIs and users with their names, where they are still known. */
export async function namedFacets(ports: NamePorts, tenant: string, { facets, ...rest }: Facets): Promise<NamedFacets> {
  const [cis, users] = await Promise.all([
    namesOfCis(ports, tenant, idsOf(facets.ci)),
    namesOfUsers(ports, tenant, idsOf(facets.assignee)),
  ]);
  return { ...rest, facets: { ...facets, ci: withNames(facets.ci, cis), assignee: withNames(facets.assignee, users) } };
}
