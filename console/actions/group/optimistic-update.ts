import type { GroupAct } from '#console/api/group-changes.ts';
import type { GroupRow } from '#console/api/groups.ts';

interface Person {
  readonly _id: string;
  readonly username: string;
  readonly name: string;
}
type RowCounts = GroupRow['counts'];

const COUNTS: Readonly<Record<Exclude<GroupAct, 'assign'>, (counts: RowCounts) => RowCounts>> = {
  acknowledge: ({ open, acknowledged, ...rest }) => ({ ...rest, open: 0, acknowledged: open + acknowledged }),
  unacknowledge: ({ open, acknowledged, ...rest }) => ({ ...rest, open: open + acknowledged, acknowledged: 0 }),
  resolve: ({ open, acknowledged, suppressed, resolved }) => ({
    open: 0,
    acknowledged: 0,
    suppressed: 0,
    resolved: open + acknowledged + suppressed + resolved,
  }),
  // The server knows which of them recovered by themselves.
  reopen: (counts) => counts,
};

/** Returns the expected group: shown at once, and replaced by the server's reply. */
export const optimisticUpdate = (
  group: GroupRow,
  verb: Exclude<GroupAct, 'assign'>,
  me: Person,
  at: string,
): GroupRow => {
  const counts = COUNTS[verb](group.counts);
  switch (verb) {
    case 'acknowledge': {
      const status = counts.acknowledged > 0 ? 'acknowledged' : group.status;
      return { ...group, counts, status, acknowledgedBy: me, acknowledgedAt: at };
    }
    case 'resolve':
      return { ...group, counts, status: 'resolved' };
    case 'unacknowledge':
    case 'reopen':
      return { ...group, counts, status: 'active', acknowledgedBy: null, acknowledgedAt: null };
  }
};
