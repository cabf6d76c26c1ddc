import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import { notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** The group that stands for the id now; throws Fault `not-found`. */
export const findGroup = async (
  { groupRows }: Pick<Ports, 'groupRows'>,
  tenant: string,
  id: string,
): Promise<ListedGroup> => {
  const row = await groupRows.get(tenant, id);
  if (row === null) throw notFound('Group', id);
  return row;
};
