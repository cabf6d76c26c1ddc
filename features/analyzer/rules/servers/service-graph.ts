import { type ServerRole, SUPPORT_ROLES } from '#features/analyzer/rules/catalogue/roles.ts';
import { type Adjacency, adjacencyOf } from '#features/analyzer/rules/graph/adjacency.ts';
import type { ServerLink } from './server.ts';

/** Servers and the links among them. */
export interface ServiceGraph {
  readonly ids: readonly string[];
  readonly undirected: Adjacency;
  /** Directed pairs of places in `ids`, each once, without loops. */
  readonly pairs: readonly (readonly [number, number])[];
}

/** Links with an end that is none of the servers are left out. */
export function serviceGraph(ids: readonly string[], links: readonly ServerLink[]): ServiceGraph {
  const places = new Map(ids.map((id, place) => [id, place]));
  const pairs = new Map<number, readonly [number, number]>();
  for (const { source, target } of links) {
    const [from, to] = [places.get(source ?? ''), places.get(target ?? '')];
    if (from !== undefined && to !== undefined && from !== to) pairs.set(from * ids.length + to, [from, to]);
  }
  const among = [...pairs.values()];
  return { ids, undirected: adjacencyOf(ids.length, among), pairs: among };
}

const supports = (role: string): boolean => SUPPORT_ROLES.has(role as ServerRole);

/** Links of the service itself: names, directories, monitoring and the like are connected to everything, and would join all with all. */
export function ownLinks(
  servers: readonly { readonly id: string; readonly role: string }[],
  links: readonly ServerLink[],
): readonly ServerLink[] {
  const aside = new Set(servers.flatMap(({ id, role }) => (supports(role) ? [id] : [])));
  return aside.size === 0
    ? links
    : links.filter(({ source, target }) => !aside.has(source ?? '') && !aside.has(target ?? ''));
}
