import type { UseCaseContext } from '#application/access/context.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { NamedServer } from '#features/analyzer/rules/insights/server-item.ts';
import type { Server, ServerLink } from '#features/analyzer/rules/servers/server.ts';

/** A server as a caller describes it. */
export interface GivenServer extends Omit<Server, 'hostname'> {
  /** Null: that of the CI. */
  readonly hostname: string | null;
  readonly ipAddress: string | null;
}

/** A connection as a caller describes it: ends are ids, host names or addresses of the servers. */
export type GivenLink = ServerLink;

/** CIs of the tenant among the ids. */
export async function knownCis(
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Ci>> {
  const found = ids.length === 0 ? [] : await ports.topology.getCis(tenant, [...new Set(ids)]);
  return new Map(found.map((ci) => [ci.id, ci]));
}

/** Completes given servers from the CMDB: name and type where the caller gives none. */
export const completed = (given: readonly GivenServer[], cis: ReadonlyMap<string, Ci>): Server[] =>
  given.map(({ id, hostname, type, software, processes }) => ({
    id,
    software,
    processes,
    hostname: hostname ?? cis.get(id)?.name ?? id,
    type: type ?? cis.get(id)?.type ?? null,
  }));

/** A server by its id as evidence. */
export const namedOf =
  (servers: readonly Pick<Server, 'id' | 'hostname'>[], cis: ReadonlyMap<string, Ci>) =>
  (id: string): NamedServer => {
    const ci = cis.get(id);
    const hostname = servers.find((server) => server.id === id)?.hostname ?? ci?.name ?? id;
    return { id, hostname, ci: ci === undefined ? null : { name: ci.name, type: ci.type } };
  };

interface Ended {
  readonly id: string;
  readonly hostname: string;
  readonly ipAddress: string | null;
}

/** Links whose ends are ids of the servers where they mean one; other ends stay as they are. */
export function linksAmong(servers: readonly Ended[], links: readonly GivenLink[]): ServerLink[] {
  const ids = new Map<string, string>();
  for (const { id, hostname, ipAddress } of servers.toReversed()) {
    if (ipAddress !== null) ids.set(ipAddress.toLowerCase(), id);
    ids.set(hostname.toLowerCase(), id);
  }
  const own = new Set(servers.map(({ id }) => id));
  const endOf = (end: string | null): string | null =>
    end === null || own.has(end) ? end : (ids.get(end.toLowerCase()) ?? end);
  return links.map(({ source, target, port }) => ({ source: endOf(source), target: endOf(target), port }));
}
