import type { GroupRow } from '#console/api/groups.ts';
import type { Status } from '#domain/event/event.ts';

interface Person {
  readonly _id: string;
  readonly username: string;
  readonly name: string;
}

/** The group as it will be once its members have a status: shown at once, and replaced by what the server says. */
export const foreseen = (group: GroupRow, status: Status, me: Person, at: string): GroupRow => {
  const { open, acknowledged, suppressed, resolved } = group.counts;
  switch (status) {
    case 'acknowledged':
      return {
        ...group,
        status: open + acknowledged > 0 ? 'acknowledged' : group.status,
        counts: { open: 0, acknowledged: open + acknowledged, suppressed, resolved },
        acknowledgedBy: me,
        acknowledgedAt: at,
      };
    case 'resolved':
      return {
        ...group,
        status: 'resolved',
        counts: { open: 0, acknowledged: 0, suppressed: 0, resolved: open + acknowledged + suppressed + resolved },
      };
    case 'suppressed':
      return {
        ...group,
        status: 'resolved',
        counts: { open: 0, acknowledged: 0, suppressed: open + acknowledged + suppressed, resolved },
      };
    case 'open':
      return {
        ...group,
        status: 'active',
        counts: { open: open + acknowledged, acknowledged: 0, suppressed, resolved },
        acknowledgedBy: null,
        acknowledgedAt: null,
      };
  }
};
