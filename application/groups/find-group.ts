import { type ListedGroup, membersIn } from '#domain/correlation/grouping/group-state.ts';
import { GROUP_LEFT, type MemberLeft } from '#domain/correlation/grouping/member-left.ts';
import { notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Groups that lost all members one after the other. */
const MAX_HEIRS = 8;

type FindPorts = Pick<Ports, 'groupRows' | 'records'>;

/** The group that the last member of this one has joined; null: it has members, or never had any. */
export async function heirOf(
  { groupRows, records }: FindPorts,
  { group: { tenant, id }, state }: ListedGroup,
): Promise<ListedGroup | null> {
  if (membersIn(state.counts) > 0) return null;
  // Sorts after every id that begins with the name and a slash.
  const [last] = await records.list<MemberLeft>(tenant, GROUP_LEFT, { after: `${id}/~`, limit: 1, descending: true });
  if (last === undefined || !last.id.startsWith(`${id}/`)) return null;
  const heir = await groupRows.get(tenant, last.body.to);
  return heir?.group.id === id ? null : heir;
}

/**
 * Returns the current group of the id: that of its members, when all of them are in another one. Throws Fault
 * `not-found`.
 */
export const findGroup = async (ports: FindPorts, tenant: string, id: string): Promise<ListedGroup> => {
  let row = await ports.groupRows.get(tenant, id);
  if (row === null) throw notFound('Group', id);
  for (let heirs = 0; heirs < MAX_HEIRS; heirs++) {
    const heir = await heirOf(ports, row);
    if (heir === null) break;
    row = heir;
  }
  return row;
};
