import type { GroupStatus } from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** State of an incident in the users' view. */
export type IncidentState = 'open' | 'acknowledged' | 'resolved';

const STATES: Readonly<Record<GroupStatus, IncidentState>> = {
  active: 'open',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
};

/** Returns the state as in lists of groups. */
export const groupState = async (
  { groupRows }: Pick<Ports, 'groupRows'>,
  tenant: string,
  { id }: Group,
): Promise<IncidentState> => STATES[(await groupRows.get(tenant, id))?.state.status ?? 'resolved'];
