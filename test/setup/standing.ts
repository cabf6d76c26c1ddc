import { type GroupAssignment, type GroupStanding, standingOf } from '#domain/correlation/grouping/group-state.ts';
import { type Event, SEVERITIES, type Status, severityRank } from '#domain/event/event.ts';

/** State of a group, counted from the members themselves, in O(members): every store must agree with it. */
export const standingOfMembers = (
  members: readonly Pick<Event, 'status' | 'severity' | 'supersededBy'>[],
  care: GroupAssignment = {},
): GroupStanding => {
  const [open, acknowledged, all] = [SEVERITIES.map(() => 0), SEVERITIES.map(() => 0), SEVERITIES.map(() => 0)];
  const counted = members.filter(({ supersededBy }) => supersededBy === undefined);
  for (const { status, severity } of counted) {
    const rank = severityRank(severity);
    all[rank]! += 1;
    if (status === 'open') open[rank]! += 1;
    if (status === 'acknowledged') acknowledged[rank]! += 1;
  }
  const of = (wanted: Status): number => counted.filter(({ status }) => status === wanted).length;
  return standingOf({ open, acknowledged, all, suppressed: of('suppressed') }, care);
};
