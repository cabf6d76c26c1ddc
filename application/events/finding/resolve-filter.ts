import type { QueryContext } from '#application/access/context.ts';
import { withTeamsOf } from '#application/access/team-store.ts';
import { userOrTeam } from '#application/events/find-assignees.ts';
import { edgesAround } from '#application/services/edges.ts';
import { everyService } from '#application/services/service-store.ts';
import { invalid } from '#domain/fault.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { UPSTREAM } from '#domain/services/health.ts';
import { serviceNameKey } from '#domain/services/service.ts';
import { allIds } from '#domain/topology/merge.ts';
import type { AskedFilter } from '#schemas/http/events/event-filter.ts';

/** A group's id and its aliases: any of them may be in an event. */
const idsOfGroup = async (ports: Pick<Ports, 'correlation'>, tenant: string, id: string): Promise<string[]> => {
  const group = await ports.correlation.group(tenant, id);
  return group === null ? [id] : [group.id, ...group.aliases];
};

/** Events that ended before a merge name the removed CI. An unknown name finds nothing. */
const idsOfCi = async (
  { topology }: Pick<Ports, 'topology'>,
  tenant: string,
  asked: EventFilter['ciId'],
): Promise<EventFilter['ciId']> => {
  if (asked === undefined) return undefined;
  const former = (await topology.getCis(tenant, [asked].flat())).filter(({ formerly }) => formerly !== undefined);
  return former.length === 0 ? asked : [...new Set([asked, ...former.map(allIds)].flat())];
};

/** More terms than the store accepts. */
const MAX_CIS = 65_536;

/** Ids of the components and of the CIs that they depend on, as far as health counts their events. */
async function idsOfServices({ tenant, ports }: QueryContext, asked: readonly string[]): Promise<ReadonlySet<string>> {
  const all = await everyService(ports.records, tenant);
  const components = asked.flatMap((text) => {
    const found = all.find(({ id, name }) => id === text || serviceNameKey(name) === serviceNameKey(text));
    if (found === undefined) throw invalid('businessService', `no service with the ID or name “${text}”`);
    return found.components.map(({ ciId }) => ciId);
  });
  const edges = await edgesAround(ports, tenant, components, { direction: 'up', hops: UPSTREAM.hops, over: 'cause' });
  const ids = new Set([...components, ...edges.map(({ target }) => target)]);
  if (ids.size > MAX_CIS) throw invalid('businessService', `expected services of at most ${MAX_CIS} CIs together`);
  return ids;
}

/** CIs that are asked for, and of these services; undefined: any. */
async function placesOf(
  context: QueryContext,
  { filter, businessServices }: AskedFilter,
): Promise<EventFilter['ciId']> {
  const ciId = await idsOfCi(context.ports, context.tenant, filter.ciId);
  if (businessServices === undefined) return ciId;
  const ids = await idsOfServices(context, businessServices);
  return ciId === undefined ? [...ids] : [ciId].flat().filter((id) => ids.has(id));
}

async function assigneeOf(
  { tenant, ports, caller }: QueryContext,
  asked: string,
): Promise<string | readonly string[] | null> {
  if (asked === 'none') return null;
  if (asked === 'me') return withTeamsOf(ports.records, tenant, caller.id);
  return (await userOrTeam(ports.records, tenant, asked, 'assignee')).id;
}

/**
 * Returns the filter in the form of the stores. Throws Fault `invalid` for an assignee or a service that the tenant does
 * not have.
 */
export async function resolveFilter(context: QueryContext, asked: AskedFilter): Promise<EventFilter> {
  const { tenant, ports, receivedAt } = context;
  const { filter, lastMs, correlationId, assignee } = asked;
  const ciId = await placesOf(context, asked);
  return {
    ...filter,
    ...(ciId !== undefined && { ciId }),
    ...(correlationId !== undefined && { correlationIds: await idsOfGroup(ports, tenant, correlationId) }),
    ...(lastMs !== undefined && { from: receivedAt - lastMs }),
    ...(assignee !== undefined && { assignee: await assigneeOf(context, assignee) }),
  };
}
