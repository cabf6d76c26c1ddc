import type { QueryContext } from '#application/access/context.ts';
import { withTeamsOf } from '#application/access/team-store.ts';
import { userOrTeam } from '#application/events/find-assignees.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
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

async function assigneeOf(
  { tenant, ports, caller }: QueryContext,
  asked: string,
): Promise<string | readonly string[] | null> {
  if (asked === 'none') return null;
  if (asked === 'me') return withTeamsOf(ports.records, tenant, caller.id);
  return (await userOrTeam(ports.records, tenant, asked, 'assignee')).id;
}

/**
 * Returns the filter in the form of the stores. Throws Fault `invalid` for an assignee that is no user and no team of
 * the tenant.
 */
export async function resolveFilter(context: QueryContext, asked: AskedFilter): Promise<EventFilter> {
  const { tenant, ports, receivedAt } = context;
  const { filter, lastMs, correlationId, assignee } = asked;
  const ciId = await idsOfCi(ports, tenant, filter.ciId);
  return {
    ...filter,
    ...(ciId !== undefined && { ciId }),
    ...(correlationId !== undefined && { correlationIds: await idsOfGroup(ports, tenant, correlationId) }),
    ...(lastMs !== undefined && { from: receivedAt - lastMs }),
    ...(assignee !== undefined && { assignee: await assigneeOf(context, assignee) }),
  };
}
