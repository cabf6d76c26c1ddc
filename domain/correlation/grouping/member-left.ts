import type { SideRecord } from '#domain/side-record.ts';

/** Kind of the records of events that became members of another group; ids begin with that of the group they left. */
export const GROUP_LEFT = 'group-left';

/** A closed group has lost a member to another one. */
export interface MemberLeft {
  readonly eventId: string;
  /** Event time of the arrival by which it joined the other, ms. */
  readonly at: number;
  /** Id of the other group as it was named then. */
  readonly to: string;
}

/** Keys sort by group, then by time. */
const DIGITS = 16;

export const memberLeft = (tenant: string, group: string, left: MemberLeft): SideRecord => ({
  tenant,
  kind: GROUP_LEFT,
  id: `${group}/${String(left.at).padStart(DIGITS, '0')}-${left.eventId}-${left.to}`,
  body: left,
});
