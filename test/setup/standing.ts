import { type GroupCare, type Standing, standingOf } from '#domain/correlation/grouping/group-state.ts';
import { type Event, SEVERITIES, type Status, severityRank } from '#domain/event/event.ts';

/** What a group is, counted from the members themselves, in O(members): what every store must agree with. */
export const standingOfMembers = (
  members: readonly Pick<Event, 'status' | 'severity' | 'supersededBy'>[],
  care: GroupCare = {},
): Standing => {
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
